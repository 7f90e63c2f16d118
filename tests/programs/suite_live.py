# SPDX-License-Identifier: BSD-3-Clause
# suite_live.py SCENARIO COMMAND...: runs the command on a pseudo-terminal whose screen an emulator
# (pyte) keeps, and checks what stands there. suite_live.sh has the commands.
import fcntl, os, pty, re, select, signal, struct, sys, termios, time
import pyte

LONG = 40  # seconds that anything may take


class Terminal:
    def __init__(self, columns, lines, command, **environment):
        self.screen = pyte.HistoryScreen(columns, lines, history=2000)
        self.stream = pyte.ByteStream(self.screen)
        self.raw, self.status, self.seen, self.frames = b'', None, [], []
        self.begin = time.time()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.pop('NO_COLOR', None)
            os.environ.update({'TERM': 'xterm', **environment})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', lines, columns, 0, 0))
            os.execvp(command[0], command)

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', lines, columns, 0, 0))

    def type(self, text):
        os.write(self.fd, text)

    # What was scrolled out, and what is on the screen.
    def history(self):
        return [''.join(line[k].data for k in range(self.screen.columns)).rstrip()
                for line in self.screen.history.top]

    def display(self):
        return [line.rstrip() for line in self.screen.display]

    def everything(self):
        return [line for line in self.history() + self.display() if line]

    # Until the pattern matches a line of the screen, or the command is over. The screen is looked
    # at after each drawing, however many have come at once.
    def until(self, pattern=None):
        while True:
            if pattern and any(re.search(pattern, line) for line in self.display()):
                return
            if self.frames:
                self.stream.feed(self.frames.pop(0))
                self.seen.append(self.display())
                continue
            if time.time() - self.begin > LONG:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError('%s does not come: %s' % (pattern, self.display()))
            if not select.select([self.fd], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b''
            if not data:
                self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
                assert not pattern, '%s did not come: %s' % (pattern, self.everything())
                return
            self.raw += data
            self.frames = [frame for frame in re.split(rb'(?=\r\033)', data) if frame]


# The rows of the table that stands last, by name.
def rows(lines):
    start = max(k for k, line in enumerate(lines) if line.startswith('benchmark'))
    return {line.split()[0]: line for line in lines[start + 1:] if line}


def right_end(terminal):
    assert terminal.screen.cursor.x == 0, 'the cursor is left in a line'
    assert not terminal.screen.cursor.hidden
    assert terminal.screen.cursor.attrs.bold is False
    assert terminal.screen.cursor.attrs.fg == 'default', 'a colour is left'


# Three benchmarks in two rounds; two takes longer.
def fills(command):
    t = Terminal(100, 24, command)
    t.until(r'^two  *2 of 2, [0-9]+ s  *1\.50 us  *[0-9]+ s  *latency_us$')
    table = rows(t.display())
    assert any(re.search(r'^[3-5] of 6 launches; about [0-9]+ s more$', line)
               for line in t.display()), t.display()
    assert re.search(r'^one +(1 of 2|PASS) ', table['one']), table
    t.until()
    assert t.status == 0, t.status
    table = rows(t.everything())
    assert all(re.search(r'^%s +PASS +1\.50 us +latency_us$' % n, table[n])
               for n in ('one', 'two', 'three')), table
    assert len(t.everything()) == 4, t.everything()
    assert b'\033[32m' in t.raw
    right_end(t)


def narrow(command):
    t = Terminal(34, 24, command)
    t.until(r'^two +2 of 2, ')
    t.until()
    assert t.status == 0
    assert all('us' not in line.split() for line in t.everything()), t.everything()
    assert len(t.everything()) == 4, t.everything()
    # A line of all columns would be broken.
    assert all(len(line) < 34 for seen in t.seen for line in seen)
    right_end(t)


def resized(command):
    t = Terminal(100, 24, command)
    t.until(r'^two +2 of 2, ')
    t.resize(44, 12)
    t.until(r'^two +2 of 2, [0-9]+ s +1\.50 us$')
    assert sum(line.startswith('benchmark') for line in t.display()) == 1, t.display()
    t.resize(120, 30)
    t.until(r'^benchmark .* metric$')
    assert sum(line.startswith('benchmark') for line in t.display()) == 1, t.display()
    t.until()
    assert t.status == 0
    assert sum(line.startswith('benchmark') for line in t.display()) == 1, t.display()
    assert len(rows(t.everything())) == 3
    right_end(t)


# More rows than lines: what runs is on the screen, and at the end each row stands there once.
def short(command):
    t = Terminal(80, 9, command)
    t.until(r'\.\.\. [0-9]+ more above')
    t.until()
    assert t.status == 0
    assert any(re.search(r' runs, ', line) for seen in t.seen for line in seen)
    assert all(sum(line.startswith('benchmark') for line in seen) <= 1 for seen in t.seen)
    names = [line.split()[0] for line in t.everything()]
    assert sorted(names) == sorted(['benchmark'] + ['b%02d' % k for k in range(1, 21)]), names
    right_end(t)


def tiny(command):
    t = Terminal(10, 2, command)
    t.until()
    assert t.status == 0
    assert [line.split()[0] for line in t.everything()] == ['benchmark', 'one', 'two', 'three']


def interrupted(command):
    t = Terminal(80, 24, command)
    t.until(r'^two +2 of 2, ')
    t.type(b'\x03')
    t.until()
    assert t.status == 130, t.status
    lines = t.everything()
    assert lines[-1].startswith('clustermark: run: interrupted; the same command'), lines
    assert re.search(r'^two +1 of 2 ', rows(lines[:-1])['two']), lines
    assert sum(line.startswith('benchmark') for line in lines) == 1, lines
    right_end(t)


def failed(command):
    t = Terminal(80, 24, command)
    t.until()
    assert t.status == 3, t.status
    lines = t.everything()
    assert re.search(r'^clustermark: two: failed: exit status 3: cm-two: no luck', lines[0]), lines
    table = rows(lines[:-1])
    assert re.search(r'^two +failed$', table['two']), lines
    assert re.search(r'^one +PASS', table['one']), lines
    assert lines[-1] == 'clustermark: run: 1 failed', lines
    right_end(t)


# Stopped and continued from a shell: what the shell wrote stays, and the table follows it.
def stopped(command):
    t = Terminal(80, 24, ['bash', '--norc', '--noprofile', '-i'], PS1='prompt> ')
    t.until(r'prompt>')
    t.type(' '.join("'%s'" % word for word in command).encode() + b'; echo end=$?\n')
    t.until(r'^two +runs, ')
    t.type(b'\x1a')
    t.until(r'Stopped')
    time.sleep(1.2)
    t.type(b'fg; echo end=$?\n')
    t.until(r'^end=0')
    t.type(b'exit\n')
    t.until()
    text = '\n'.join(t.everything())
    assert 'Stopped' in text, text
    assert re.search(r'^two +PASS', rows(t.everything())['two']), text


def plain(command):
    t = Terminal(80, 24, command, TERM='dumb')
    t.until()
    assert t.status == 0 and b'\033' not in t.raw, t.raw
    assert any(line.startswith('clustermark: two: PASS') for line in t.everything())


def colourless(command):
    t = Terminal(80, 24, command, NO_COLOR='1')
    t.until()
    assert t.status == 0 and b'\033[' in t.raw
    assert not re.search(rb'\033\[[0-9;]*m', t.raw), 'colours'


try:
    globals()[sys.argv[1]](sys.argv[2:])
except AssertionError as error:
    print('#', str(error).replace('\n', '\n# ')[:2000])
    sys.exit(1)
