#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""page.py CHROMIUM CHROMEDRIVER FOLDER WORK [NAME [PART...]]: what a reader's browser makes of
FOLDER/NAME.html (report.html). The page is opened in a headless Chromium, at three widths, in the
dark, on paper. Prints TAP without the plan. FOLDER has the results that the page is made of.
PART: a function of PARTS, instead of all of them."""
import base64
import ctypes
import glob
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import traceback

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER, FOLDER, WORK = sys.argv[1:5]
NAME = sys.argv[5] if len(sys.argv) > 5 else "report"
LIMIT_S = 100
SCREENS = SHEETS = 12  # of a page on which nothing was opened
DRAWN_S = 40  # 20 times as long as a page may take on two quiet cores
WIDTHS = (1280, 800, 390)
PAPER = 718
LETTERS = {1280: 7, 800: 8.5, 390: 8.5}
HERE = os.path.dirname(os.path.abspath(__file__))


def read(process, name):
    """The bytes of this file of a process; none if it is not there."""
    try:
        with open(f"/proc/{process}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""


def adopt_orphans():
    """Makes this process the parent of descendants whose own parent has ended."""
    pr_set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(pr_set_child_subreaper, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def children():
    """The processes whose parent this is."""
    own = b" " + str(os.getpid()).encode() + b" "
    return [int(process) for process in os.listdir("/proc") if process.isdigit()
            and read(process, "stat").rpartition(b")")[2][2:].startswith(own)]


class Reader:
    """A browser that shows the page; the points that are made of what it says."""

    def __init__(self):
        self.profile = os.path.join(WORK, "profile")
        adopt_orphans()
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     "--disable-background-networking", "--disable-component-update",
                     "--disable-sync", "--no-first-run", "--no-default-browser-check",
                     "--user-data-dir=" + self.profile):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)
        with open(os.path.join(HERE, "page.js"), encoding="utf-8") as file:
            self.library = file.read()
        self.failures = 0
        # The browser's own first page has requests of its own.
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get_log("browser")

    def ok(self, name, faults):
        """A point that passes if there are no faults. The shell that calls this numbers it."""
        print(("not ok - " if faults else "ok - ") + name, flush=True)
        for fault in faults[:8]:
            print("# " + str(fault).replace("\n", " ")[:300], flush=True)
        self.failures += bool(faults)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def ask(self, call, *arguments):
        return self.driver.execute_script(self.library + "\nreturn " + call + ";", *arguments)

    def open(self, width, link=""):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900,
                     deviceScaleFactor=1, mobile=width < 500)
        self.driver.get("about:blank")
        self.driver.get("file://" + os.path.join(os.path.abspath(FOLDER), NAME + ".html") + link)

    def media(self, scheme, kind=""):
        self.command("Emulation.setEmulatedMedia", media=kind,
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def quit(self):
        """Ends the browser, and waits for all that it started: the last processes write into the
        profile for a while after that. Some overwrite their words and environment, so they are
        known by their parent, which is this process once their own is gone."""
        self.driver.quit()
        until = time.monotonic() + 10
        while True:
            try:
                ended, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if ended:
                continue
            if time.monotonic() > until:
                for process in children():
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.05)


# ---- the parts ---------------------------------------------------------------------------------

def widths(reader):
    for width in WIDTHS:
        reader.open(width)
        reader.ok(f"{width} px: nothing sticks out", reader.ask("overflow()"))
        reader.ask("unfold()")
        reader.ok(f"{width} px: nor when all is unfolded", reader.ask("overflow()"))
        reader.ok(f"{width} px: wide tables scroll below their first column",
                  reader.ask("cutTables()"))
        reader.ok(f"{width} px: no number is broken", reader.ask("brokenNumbers()"))
        reader.ok(f"{width} px: no letters of a figure are cut", reader.ask("lettersOutside()"))
        reader.ok(f"{width} px: letters of figures have {LETTERS[width]} px",
                  reader.ask(f"smallLetters({LETTERS[width]})"))


def structure(reader):
    reader.ok("headings are in order", reader.ask("headings()"))
    reader.ok("tables have headers", reader.ask("tables()"))
    reader.ok("figures have a text", reader.ask("figures()"))
    reader.ok("links in the page lead somewhere", reader.ask("links()"))
    names = reader.ask("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
    files = {name.split("#")[0] for name in names if not re.match(r"#|[a-z]+:", name)}
    reader.ok("files that it links to are there",
              sorted(f for f in files if not os.path.exists(os.path.join(FOLDER, f))))


def contrasts(reader):
    for scheme in ("dark", "light"):
        reader.media(scheme)
        reader.ok(f"{scheme}: text can be read", reader.ask("lowContrast()"))


def paper(reader):
    """On paper a dark screen has no dark boxes."""
    reader.media("dark", "print")
    reader.ok("print: no dark boxes", reader.ask("darkGrounds()"))
    reader.ok("print: text can be read", reader.ask("lowContrast()"))
    # What is wider than A4 without its margins makes the browser print everything smaller.
    reader.open(PAPER)
    wide = reader.ask("document.documentElement.scrollWidth")
    reader.ok("print: nothing is wider than the paper",
              [f"{wide} px of {PAPER}"] if wide > PAPER + 1 else [])
    reader.media("light")
    reader.open(1280)
    data = base64.b64decode(reader.command("Page.printToPDF", printBackground=True)["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", data))
    reader.ok("print: a PDF of some pages",
              [] if data.startswith(b"%PDF") and pages > 0 else [f"{data[:8]}, {pages} pages"])
    reader.ok(f"print: at most {SHEETS} sheets", [f"{pages} sheets"] if pages > SHEETS else [])


# ---- what is folded, and how it is found -------------------------------------------------------

def length(reader):
    height = reader.ask("document.documentElement.scrollHeight")
    reader.ok(f"at most {SCREENS} screens", [f"{height} px"] if height > 900 * SCREENS else [])
    reader.ok("a benchmark has one figure or table", reader.ask("benchmarksWithMore()"))


def drawn(reader):
    """From the request to the second frame. Printed, and far from a limit."""
    start = time.monotonic()
    reader.open(1280)
    reader.ask("frames(2)")
    took = time.monotonic() - start
    print(f"# drawn in {took:.2f} s", flush=True)
    reader.ok("drawn in time", [f"{took:.1f} s"] if took > DRAWN_S else [])


def folded(reader):
    reader.ok("what is folded has a link", reader.ask("foldedWithoutLink()"))
    reader.ok("which opens it", reader.ask("linksThatOpenNothing()"))
    reader.ok("the contents show where the reader is", reader.ask("unmarked()"))


# The metric or host that stands last on the page, which is folded.
LAST_ROW = "[...document.querySelectorAll('details tr[id]')].pop()"


def words_of(row):
    """What finds it: of the report a metric's name and its program; else the rest of the id."""
    found = re.match(r"(?:host-|pair-\d+:)(.*)", row)
    run, _, name = row.partition(":")
    return found[1] if found else f"{name} {run.split('-')[0]}"


def search(reader):
    row = reader.ask(LAST_ROW + ".id")
    reader.ask("document.getElementById('find').focus()")
    reader.command("Input.insertText", text=words_of(row))
    found = reader.ask("[...document.querySelectorAll('#search a')].map(link => link.hash)")
    reader.ok("the search finds what is folded", [] if f"#{row}" in found else [row, found])
    reader.ask(f"document.querySelector('#search a[href=\"#{row}\"]').click()")
    reader.ok("and opens it", reader.ask(f"frames(2).then(() => isInView({LAST_ROW}))")
              is not True and [row] or [])


def without_scripts(reader):
    """Chromium itself opens what a link leads to."""
    row = reader.ask(LAST_ROW + ".id")
    reader.command("Emulation.setScriptExecutionDisabled", value=True)
    reader.open(1280, "#" + row)
    reader.ok("without scripts: no search", ["shown"] * reader.ask(
        "isShown(document.getElementById('search'))"))
    reader.ok("a link opens what is folded", [] if reader.ask(f"isInView({LAST_ROW})")
              else [row])
    reader.command("Emulation.setScriptExecutionDisabled", value=False)


# ---- tiles -------------------------------------------------------------------------------------

def measured():
    """RUN:METRIC to the values that the results' JSON has."""
    values = {}
    for path in glob.glob(os.path.join(FOLDER, "*.json")):
        run = os.path.basename(path)[:-len(".json")]
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        for metric in result.get("results", []):
            values.setdefault(f"{run}:{metric['metric']}", set()).add(metric["value"])
    return values


def is_near(value, want):
    return want is not None and math.isclose(value, want, rel_tol=2e-5, abs_tol=1e-300)


def shown_number(text):
    found = re.search(r"[-+]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?", text.replace("\u2212", "-"))
    return found and found.group(0).replace(",", "")


def shown_value(tile, value):
    """How programs scale is shown as an efficiency: the speed-up for each rank."""
    if tile["id"] != "tile-scaling" or not tile["metric"].endswith(":speed_up"):
        return value
    run = tile["metric"].split(":")[0]
    with open(os.path.join(FOLDER, run + ".json"), encoding="utf-8") as file:
        return value / json.load(file)["metadata"]["ranks"]


def tile_faults(tile, values):
    name = f"{tile['metric']}={tile['value']}"
    try:
        value = float(tile["value"])
    except ValueError:
        return [f"{name}: no number"]
    faults = []
    if not any(is_near(value, want) for want in values.get(tile["metric"], ())):
        faults.append(f"{name}: the JSON has {sorted(values.get(tile['metric'], ()))[:4]}")
    shown = shown_number(tile["text"])
    if not shown:
        return faults + [f"{name}: no number in '{tile['text']}'"]
    # The unit may have another prefix: the digits are the same, three of them.
    digits = f"{abs(shown_value(tile, value)):.2e}".split("e")[0]
    theirs = f"{abs(float(shown)):.2e}".split("e")[0]
    if abs(float(digits) - float(theirs)) > 0.011 and abs(float(digits) - float(theirs)) < 8.98:
        faults.append(f"{name}: shown as '{tile['text']}'")
    return faults


def tiles(reader):
    found = reader.ask("[...document.querySelectorAll('[data-light]')].map(tile => "
                       "({id: tile.id, metric: tile.dataset.metric, value: tile.dataset.value, "
                       "text: (tile.querySelector('.value strong') || tile).textContent.trim()}))")
    values = measured()
    faults = [] if len(found) == 6 else [f"{len(found)} elements have data-light"]
    told = [tile for tile in found if tile["metric"]]
    for tile in told:
        faults += tile_faults(tile, values)
    faults += [f"no value and no reason: {tile['text']}" for tile in found
               if not tile["metric"] and "Not measured" not in tile["text"]]
    reader.ok(f"six tiles; {len(told)} have values, which are the JSON's", faults)


# ---- figures that answer -----------------------------------------------------------------------

# A point of a drawing with a key, what it says, and where it is once it is on the screen.
FIND_POINT = """(() => {
    for (const svg of document.querySelectorAll('figure svg')) {
        const key = svg.querySelector('g.key[role=button]');
        const point = [...svg.querySelectorAll('circle.point')].find(isShown);
        if (!key || !point) continue;
        const title = point.querySelector('title');
        point.scrollIntoView({block: 'center'});
        const box = point.getBoundingClientRect();
        return {says: title ? title.textContent : point.dataset.told,
                x: box.x + box.width / 2, y: box.y + box.height / 2};
    }
    return null;
})()"""
SHOWN_TIP = "(() => { const tip = document.getElementById('told'); " \
    "return tip && isShown(tip) ? tip.textContent : ''; })()"
# The keys of the first drawing that has two, and what is drawn of their series.
FIND_KEYS = """(() => {
    const svg = [...document.querySelectorAll('figure svg')].find(
        one => new Set([...one.querySelectorAll('g.key[role=button]')].map(
            key => key.dataset.name)).size > 1);
    if (!svg) return null;
    const keys = [...svg.querySelectorAll('g.key[role=button]')];
    keys[0].scrollIntoView({block: 'center'});
    const box = keys[0].getBoundingClientRect();
    const drawn = name => [...svg.querySelectorAll('g.series')].filter(
        group => group.dataset.name.split('|').includes(name)).flatMap(
        group => [...group.querySelectorAll('path, use, circle, polygon, rect')]).filter(
        part => !part.closest('g.key') && getComputedStyle(part).display !== 'none').length;
    return {x: box.x + box.width / 2, y: box.y + box.height / 2,
            pressed: keys[0].getAttribute('aria-pressed'), own: drawn(keys[0].dataset.name),
            others: keys.slice(1).map(key => drawn(key.dataset.name))};
})()"""


def mouse(reader, kind, place, **more):
    reader.command("Input.dispatchMouseEvent", type=kind, x=place["x"], y=place["y"], **more)


def click(reader, place):
    mouse(reader, "mouseMoved", place)
    for kind in ("mousePressed", "mouseReleased"):
        mouse(reader, kind, place, button="left", clickCount=1)


def hover(reader):
    point = reader.ask(FIND_POINT)
    if not point:
        reader.ok("a point tells its value", ["no drawing has a circle.point and a g.key"])
        return
    faults = [] if re.search(r"\d", point["says"] or "") else [f"no number in {point['says']}"]
    mouse(reader, "mouseMoved", {"x": 1, "y": 1})
    before = reader.ask(SHOWN_TIP)
    mouse(reader, "mouseMoved", point)
    shown = reader.ask(SHOWN_TIP)
    if before:
        faults.append(f"shown before: '{before}'")
    if (point["says"] or "") not in shown:
        faults.append(f"'{point['says']}' is shown as '{shown}'")
    reader.ok("a point tells its value", faults)


def hide(reader):
    before = reader.ask(FIND_KEYS)
    if not before or before["own"] == 0:
        reader.ok("a key hides its series", [f"no drawing has two keys: {before}"])
        return
    click(reader, before)
    hidden = reader.ask(FIND_KEYS)
    reader.ok("a key hides its series",
              [] if hidden["own"] == 0 and hidden["pressed"] == "false" else [before, hidden])
    reader.ok("and no other", [] if any(hidden["others"]) else [before, hidden])
    click(reader, hidden)
    again = reader.ask(FIND_KEYS)
    reader.ok("and shows it again", [] if again["own"] == before["own"] else [before, again])
    reader.ask("(document.querySelector('g.key[role=button]').focus())")
    reader.command("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter")
    reader.command("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter")
    pressed = reader.ask("document.activeElement.getAttribute('aria-pressed')")
    reader.ok("the keyboard does, too", [] if pressed == "false" else [f"pressed: {pressed}"])


# ---- what leaves the page ----------------------------------------------------------------------

def requests(reader):
    faults = []
    for entry in reader.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not re.match(r"file:|data:|blob:", url):
                faults.append(url)
    reader.ok("no request leaves the page", faults)
    reader.ok("no error on the console",
              [entry["message"] for entry in reader.driver.get_log("browser")
               if entry["level"] in ("SEVERE", "WARNING")])


PARTS = (widths, length, drawn, structure, tiles, hover, hide, contrasts, folded, search,
         without_scripts, paper, requests)


def main():
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"page.py: not done after {LIMIT_S} s"))
    signal.alarm(LIMIT_S)
    reader = Reader()
    try:
        for part in PARTS:
            if not sys.argv[6:] or part.__name__ in sys.argv[6:]:
                reader.open(1280)
                part(reader)
    except Exception:  # the shell takes 1 for a point that failed
        traceback.print_exc()
        sys.exit(2)
    finally:
        signal.alarm(10)
        reader.quit()
    sys.exit(reader.failures > 0)


main()
