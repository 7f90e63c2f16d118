#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""papers_second.py SOURCES CLUSTERMARK WORK: every expression of every paper*.dat and *.place,
computed a second time from results with made-up numbers, against papers.tsv of clustermark report.
Prints TAP. Intervals are those of all corners, which is another way than the program's."""
import glob
import itertools
import math
import operator
import os
import random
import re
import subprocess
import sys

SOURCES, CLUSTERMARK, WORK = sys.argv[1:4]
META = {"ranks": 16, "hosts": 16, "eager_bytes": 65536, "l1d_bytes": 32768, "unit_bytes": 32768,
        "collect_every": 20, "piece_bytes": 1048576, "work": "sha1"}
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
SOURCE = re.compile(r"(?:(?P<bench>(?:beside/)?[a-z][a-z0-9_-]*):)?"
                    r"(?:fit:(?P<model>\w+):(?P<key>\w+)|(?P<name>\w+)(?:\[(?P<where>[^]]*)\])?)$")


# ---- what the files say ----------------------------------------------------------------------

class Source:
    def __init__(self, word, owner):
        self.number = None
        try:
            self.number = float(word)
            self.text = word
            return
        except ValueError:
            pass
        m = SOURCE.match(word)
        if not m or (m["bench"] is None and word.startswith("fit:") and not m["model"]):
            raise SystemExit("cannot read " + word)
        self.bench = m["bench"] or owner
        if word.startswith("fit:"):
            self.bench = owner
        self.model, self.key, self.name = m["model"], m["key"], m["name"]
        self.where = [w.split("=", 1) for w in m["where"].split(",")] if m["where"] else None


class Expression:
    def __init__(self, text, owner):
        words = text.split()
        self.sources = [Source(w, owner) for w in words[0::2]]
        self.operators = words[1::2]

    def of(self, values):
        result = values[0]
        for operator_, value in zip(self.operators, values[1:]):
            result = OPERATORS[operator_](result, value)
        return result


class Part:
    def __init__(self, text, owner):
        self.label, _, rest = text.rpartition(": ")
        self.link = rest.split() if re.match(r"(figure|section) |machine$", rest) else None
        self.relation, sides = None, []
        if not self.link:
            sides = re.split(r" (<=|>=|<|>|=) ", rest)
            self.relation = sides[1] if len(sides) > 1 else None
        self.sides = [Expression(side, owner) for side in sides[0::2]]

    def sources(self):
        return [s for side in self.sides for s in side.sources if s.number is None]

    def benches(self):
        if self.link:
            return self.link[1:2]
        return [s.bench for s in self.sources()]


class Answer:
    def __init__(self, text, owner):
        self.none = text[6:] if text.startswith("none: ") else None
        parts = [] if self.none or text == "-" else text.split(";")
        self.parts = [Part(p.strip(), owner) for p in parts]

    def benches(self):
        return {b for p in self.parts for b in p.benches()}


class Item:
    def __init__(self, line, owner):
        (self.key, self.value, self.unit, self.paper, self.place, self.needs, answer,
         self.what) = line.split("\t")
        self.id = owner + ":" + self.key
        self.owner = owner
        self.answer = Answer(answer, owner)


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and line[0] != "#"]


def read_items():
    items, doubled = {}, []
    with open(SOURCES + "/suite/benchmarks.tab", encoding="utf-8") as file:
        table = [re.match(r"folder=([^|]*)\|run=cm-([^|/]*)", line) for line in file]
    program = {row[1]: row[2] for row in reversed(table) if row}
    for folder, owner in program.items():
        for path in glob.glob("%s/%s/paper*.dat" % (SOURCES, folder)):
            name = os.path.basename(path)[:-4].partition("_")[2]
            for line in lines_of(path):
                item = Item(line, name or owner)
                doubled += [item.id] * (item.id in items)
                items[item.id] = item
    return items, doubled


class Place:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-6]
        self.beside, self.answers, self.how = None, {}, {}
        for line in lines_of(path):
            key, value = line.split(": ", 1)
            if key == "beside":
                self.beside = value
            elif key == "item":
                name, how, text = (w.strip() for w in value.split("|"))
                self.answers[name] = Answer(text, name.split(":")[0])
                self.how[name] = how


# ---- results with made-up numbers ------------------------------------------------------------

class Result:
    """A result that has whatever the sources ask of it."""

    def __init__(self, name, sources, meta):
        self.random = random.Random(name)
        self.meta, self.metrics, self.fits, self.rows = dict(META, **meta), {}, {}, []
        keys = {}
        for s in sources:
            for key, value in s.where or []:
                keys.setdefault(key, set())
                if value not in ("max", "min"):
                    keys[key].add(value)
        columns = sorted({s.name for s in sources if s.where} | set(keys))
        for s in sources:
            if s.model:
                self.fits.setdefault(s.model, {})[s.key] = self.positive()
            elif not s.where and s.name not in self.meta:
                self.metrics[s.name] = self.positive()
        self.columns = columns + [p + c for c in columns for p in ("low_", "high_")]
        if columns:
            for choice in itertools.product(*[self.key_values(keys[k]) for k in sorted(keys)]):
                self.add_row(columns, dict(zip(sorted(keys), choice)))
        self.random.shuffle(self.rows)

    def positive(self):
        return float("%.5g" % self.random.uniform(0.5, 50))

    def key_values(self, values):
        """The values that are asked for, and numbers around them."""
        numbers = all(re.match(r"[\d.]+$", v) for v in values)
        more = {str(self.random.randint(1, 3000)) for _ in range(2)} if numbers else set()
        return sorted(values | more)

    def add_row(self, columns, keys):
        row = {}
        for c in columns:
            row[c] = keys.get(c) or str(self.positive())
            try:
                value = float(row[c])
                row["low_" + c], row["high_" + c] = "%.7g" % (value * 0.9), "%.7g" % (value * 1.2)
            except ValueError:
                row["low_" + c] = row["high_" + c] = "nan"
        # Of a median the ends are low_s and high_s.
        for c in columns:
            if c.startswith("median_"):
                for end in ("low_", "high_"):
                    row[end + c[7:]] = row.pop(end + c)
        self.rows.append(row)

    def write(self, path):
        columns = sorted({c for row in self.rows for c in row}) or ["nothing"]
        with open(path, "w", encoding="utf-8") as file:
            for key, value in self.meta.items():
                if key == "Mbit_per_s":
                    file.write("# nic: eth0 driver=x speed_Mbit_per_s=%s\n" % value)
                elif key == "mtu_bytes":
                    file.write("# nic: eth1 driver=x mtu_bytes=%s\n" % value)
                else:
                    file.write("# %s: %s\n" % (key, value))
            file.write(" ".join(columns) + "\n")
            for row in self.rows:
                file.write(" ".join(row[c] for c in columns) + "\n")
            for model, fit in self.fits.items():
                file.write("# fit: model=%s %s\n" % (model, " ".join(
                    "%s=%r %s_error=%.7g" % (k, v, k, v / 40) for k, v in fit.items())))
            for name, value in self.metrics.items():
                file.write("# RESULT: PASS %s %r us low=%.7g high=%.7g interval=95%%\n" % (
                    name, value, value * 0.95, value * 1.05))
            file.write("# RESULT: PASS always_there 1 1\n")

    def cell(self, s):
        rows = self.rows
        for key, value in s.where:
            if value in ("max", "min"):
                pick = max if value == "max" else min
                value = pick((r[key] for r in rows), key=float)
            rows = [r for r in rows if r[key] == value or same(r[key], value)]
        row = rows[0]
        name = s.name[7:] if s.name.startswith("median_") else s.name
        return row[s.name], float(row["low_" + name]), float(row["high_" + name])

    def find(self, s):
        """The text, and both ends of its interval."""
        if s.where:
            return self.cell(s)
        if s.model:
            value = self.fits[s.model][s.key]
            error = 1.96 * float("%.7g" % (value / 40))
            return repr(value), value - error, value + error
        if s.name in self.metrics:
            value = self.metrics[s.name]
            return repr(value), float("%.7g" % (value * 0.95)), float("%.7g" % (value * 1.05))
        text = str(self.meta[s.name])
        return text, number(text), number(text)


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def same(a, b):
    return number(a) == number(b)


class Folder:
    """Results of all benchmarks that the answers name; prefix: which of them are here."""

    def __init__(self, path, answers, here, meta_of):
        self.path, self.result = path, {}
        sources = {}
        for answer in answers:
            for part in answer.parts:
                for bench in part.benches():
                    sources.setdefault(bench, [])
                for s in part.sources():
                    sources[s.bench].append(s)
        for bench, own in sources.items():
            if bench.startswith("beside/") == here:
                continue
            name = bench.replace("beside/", "")
            self.result[name] = Result(bench, own, meta_of(bench))
        os.makedirs(path)
        for name, result in self.result.items():
            result.write("%s/%s.txt" % (path, name))
        with open(path + "/some.skipped", "w", encoding="utf-8") as file:
            file.write("nothing\n")

    def tell(self, place):
        with open(self.path + "/run.txt", "w", encoding="utf-8") as file:
            file.write("place: %s\n" % place)


# ---- both ways -------------------------------------------------------------------------------

failed = 0
tests = 0


def ok(right, text, *why):
    global failed, tests
    tests += 1
    if not right:
        failed += 1
        for line in why[:10]:
            print("# " + str(line))
    print("%sok %d - %s" % ("" if right else "not ", tests, text))


def corners(expression, found):
    ends = [f[1:] if f else None for f in found]
    choices = [(s.number,) if s.number is not None else e
               for s, e in zip(expression.sources, ends)]
    values = [expression.of(c) for c in itertools.product(*choices)]
    return min(values), max(values)


def value_of(expression, results):
    found = [None if s.number is not None else results[s.bench].find(s)
             for s in expression.sources]
    texts = [s.text if f is None else f[0] for s, f in zip(expression.sources, found)]
    if len(texts) == 1:
        text, exact = texts[0], True
    else:
        text, exact = expression.of([float(t) for t in texts]), False
    low, high = corners(expression, found)
    return text, exact, low, high


def verdict(relation, left, right):
    if relation[0] == ">":
        relation, left, right = "<" + relation[1:], right, left
    (low, high), (bound_low, bound_high) = left, right
    if relation == "=":
        if low == high == bound_low == bound_high:
            return "holds"
        return "does not hold" if low > bound_high or high < bound_low else "cannot tell"
    less = operator.le if relation == "<=" else operator.lt
    if less(high, bound_low):
        return "holds"
    return "cannot tell" if less(low, bound_high) else "does not hold"


def close(a, b, tolerance):
    return math.isclose(float(a), b, rel_tol=tolerance) or abs(float(a) - b) < 1e-12


def check_part(part, line, results):
    """The lines in which the program says something else."""
    wrong = []
    if part.link:
        expected = "not drawn" if part.link[0] == "figure" else "-"
        if not line["problem"].startswith(expected):
            wrong.append("%s: %s" % (" ".join(part.link), line["problem"]))
        return wrong
    text, exact, low, high = value_of(part.sides[0], results)
    if line["ours"] == "-":
        return ["%s: no value: %s, here %s" % (line["item"], line["problem"], text)]
    if line["ours"] != text if exact else not close(line["ours"], text, 6e-4):
        wrong.append("%s: %s, here %s" % (line["item"], line["ours"], text))
    if not math.isnan(low) and not (close(line["low"], low, 2e-5)
                                    and close(line["high"], high, 2e-5)):
        wrong.append("%s: [%s, %s], here [%g, %g]" % (line["item"], line["low"], line["high"], low,
                                                    high))
    if part.relation:
        bound = value_of(part.sides[1], results)
        expected = verdict(part.relation, (low, high), bound[2:])
        if line["verdict"] != expected or line["relation"] != part.relation:
            wrong.append("%s: %s, here %s" % (line["item"], line["verdict"], expected))
    return wrong


def report(own, beside):
    command = [CLUSTERMARK, "report"] + (["--beside", beside.path] if beside else []) + [own.path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, PATH=WORK + "/none"), check=False)
    if done.returncode:
        ok(False, own.path, done.stderr)
        return []
    with open(own.path + "/papers.tsv", encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split("\t")
        lines = [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]
    return [line for line in lines if line["side"] == "Here"]


def by_item(lines):
    items = {}
    for line in lines:
        items.setdefault(line["item"], []).append(line)
    return items


# ---- real results, with one set of needs after the other ---------------------------------------

NEED = re.compile(r"(?:((?:beside/)?[\w-]+):)?(\w+)(>=|<=|=|~)(.+)")


def needs_of(item):
    return [] if item.needs == "-" else [NEED.match(w).groups() for w in item.needs.split()]


def met(item, results):
    benches = item.answer.benches() & set(results)
    for bench, key, relation, value in needs_of(item):
        for name in benches if bench is None else benches & {bench}:
            have = str(results[name].meta.get(key, "nothing"))
            if not {"=": have == value, "~": value in have,
                    ">=": number(have) >= number(value),
                    "<=": number(have) <= number(value)}[relation]:
                return False
    return True


def check_needs(items, wanted):
    """All items with metadata that meet these needs."""
    given = [NEED.match(w).groups() for w in wanted.split()] if wanted != "-" else []

    def meta_of(bench):
        meta = {"comm": "sockets", "transport": "tcp", "nodelay": "1"}
        meta.update({key: value for name, key, _, value in given if name in (None, bench)})
        return meta

    answers = [i.answer for i in items.values()]
    path = "%s/%d" % (WORK, len(glob.glob(WORK + "/*")))
    own = Folder(path, answers, True, meta_of)
    beside = Folder(path + "-beside", answers, False, meta_of)
    results = dict(own.result, **{"beside/" + n: r for n, r in beside.result.items()})
    lines = by_item(report(own, beside))
    wrong, compared = [], 0
    for item in items.values():
        said = lines.get(item.id, [])
        tested = not item.answer.none and met(item, results)
        if tested and len(said) != len(item.answer.parts):
            wrong.append("%s: %d parts" % (item.id, len(said)))
        elif not tested:
            if [line["verdict"] for line in said] != ["cannot be tested here"] \
                    or said[0]["ours"] != "-":
                wrong.append("%s: tested with %s, needs %s" % (item.id, wanted, item.needs))
        else:
            for part, line in zip(item.answer.parts, said):
                wrong += check_part(part, line, results)
            compared += 1
    assert all(i.id in lines or not i.answer.parts for i in items.values())
    own_items = [i for i in items.values() if i.needs == wanted and not i.answer.none]
    untested = [i.id for i in own_items if not met(i, results)]
    ok(not wrong and not untested, "with %s: %d items compared, %d not" % (
        wanted, compared, len(items) - compared), *wrong, *untested)


def check_place(items, place):
    meta = {"comm": "mpi", "transport": "simulated by SimGrid"}
    answers = list(place.answers.values())
    path = "%s/%s" % (WORK, place.name)
    own = Folder(path, answers, True, lambda bench: meta)
    own.tell(place.name)
    beside = None
    if place.beside:
        beside = Folder(path + "-beside", answers, False, lambda bench: meta)
        beside.tell(place.beside)
    results = dict(own.result)
    for name, result in (beside.result if beside else {}).items():
        results["beside/" + name] = result
    lines = by_item(report(own, beside))
    wrong = [name + ": no item" for name in place.answers if name not in items]
    for name, said in lines.items():
        answer = place.answers.get(name)
        if not answer:
            if said[0]["ours"] != "-" or not said[0]["problem"].startswith("not simulated at"):
                wrong.append(name + ": is not the place's")
            continue
        if said[0]["how"] != place.how[name]:
            wrong.append("%s: %s" % (name, said[0]["how"]))
        for part, line in zip(answer.parts, said):
            wrong += check_part(part, line, results)
        if place.name not in said[0]["places"].split(", "):
            wrong.append(name + ": the place is not named")
    wrong += [name + ": not in the table" for name in place.answers if name not in lines]
    ok(not wrong, "at %s: %d items" % (place.name, len(place.answers)), *wrong)
    if beside:
        said = by_item(report(own, None))
        alone = [n for n, a in place.answers.items()
                 if any(b.startswith("beside/") for b in a.benches())]
        ok(alone and all(said[n][0]["problem"] == "needs --beside results of " + place.beside
                         for n in alone),
           "at %s alone: nothing of %s" % (place.name, place.beside), *alone)


# ---- what each claim refuses -----------------------------------------------------------------

# Claims that something stays as it is, or gains nothing: constant results are what they say.
SAMENESS = {"bisection:as_one_pair", "heat:ideal_speed_up", "linpack:linpack_efficiency",
            "linpack:linpack_linear_speed_up", "linpack:linpack_stable_rate",
            "listrank:listrank_speedup"}


def key_of(source):
    return (source.bench, source.model, source.key, source.name,
            tuple(map(tuple, source.where or ())))


def subject_of(source):
    """The same quantity, whatever the row or the benchmark."""
    return source.model, source.key, source.name


def holds(part, values):
    left, right = (side.of([s.number if s.number is not None else values[key_of(s)]
                            for s in side.sources]) for side in part.sides)
    if part.relation == "=":
        return math.isclose(left, right)
    return {"<": left < right, "<=": left <= right, ">": left > right,
            ">=": left >= right}[part.relation]


def wrong_parts(parts, values):
    return [p for p in parts if not holds(p, values)]


def made(parts, name):
    """Values with which all parts hold; None: there are none to be found."""
    tries = (made_by(parts, random.Random("%s %d" % (name, k))) for k in range(40))
    return next((values for values in tries if values), None)


def made_by(parts, chance):
    values = {key_of(s): 10 ** chance.uniform(-3, 3) for p in parts for s in p.sources()}
    wrong = wrong_parts(parts, values)
    for _ in range(2000):
        if not wrong:
            return values
        part = chance.choice(wrong)
        key = key_of(chance.choice(part.sources()))
        factor = 10 ** (chance.uniform(-3, 3) * chance.random() ** 4)
        new = dict(values) | {key: values[key] * factor}
        if part.relation == "=":
            new[key] = values[key_of(part.sources()[0])]
        new_wrong = wrong_parts(parts, new)
        if len(new_wrong) <= len(wrong):
            values, wrong = new, new_wrong
    return None


def constant_holds(parts, values):
    """With one value for each quantity, in every row and beside, whatever that value is."""
    subjects = sorted({subject_of(s) for p in parts for s in p.sources()}, key=str)
    keys = {key_of(s): subject_of(s) for p in parts for s in p.sources()}
    if len(keys) == len(subjects):
        return False  # nothing is compared with itself: bounds refuse
    for scale in (1, 1e-3, 1e3):
        one = {subject: scale * next(v for k, v in values.items() if keys[k] == subject)
               for subject in subjects}
        if not wrong_parts(parts, {k: one[keys[k]] for k in keys}):
            return True
    return False


def opposite_holds(parts, values):
    """With each value turned over: what was large is small, for each in turn and for all."""
    flipped = {k: 1 / v for k, v in values.items()}
    if wrong_parts(parts, flipped):
        return False
    sole = {key_of(p.sources()[0]) for p in parts if sum(len(s.sources) for s in p.sides) == 2}
    return all(not wrong_parts(parts, dict(values) | {k: v * f}) for k, v in values.items()
               for f in ((1e-9, 1e9, 0) if k in sole else (1e-9, 1e9)))


def check_claims(items, places):
    """Every claim of the tree can hold; what says the opposite fails it, and so do constants."""
    answers = {i.id: [("", i.answer)] for i in items.values() if i.unit == "claim"}
    for place in places:
        for name, answer in place.answers.items():
            if name in answers and place.how[name] != "input":
                answers[name].append((" at " + place.name, answer))
    n, never, opposite, constant = 0, [], [], set()
    for name, all_of_it in answers.items():
        for where, answer in all_of_it:
            parts = [p for p in answer.parts if p.relation]
            if not parts:
                continue
            n += 1
            values = made(parts, name + where)
            if not values:
                never.append(name + where)
                continue
            if opposite_holds(parts, values):
                opposite.append(name + where)
            if constant_holds(parts, values):
                constant.add(name)
    ok(n > 40 and not never, "%d claims can hold" % n, *never)
    ok(not opposite, "the opposite fails each", *opposite)
    ok(constant == SAMENESS, "constant results fail all that do not say that something stays",
       *sorted(constant ^ SAMENESS))
    with open(SOURCES + "/doc/papers.texi", encoding="utf-8") as file:
        told = set(re.findall(r"(?m)^@item ([a-z]+:[\w-]+)$", file.read()))
    tested = {i.id for i in items.values() if i.unit == "claim"
              and (any(p.relation for p in i.answer.parts)
                   or any(i.id in place.answers for place in places))}
    ok(tested <= told and not {t for t in told if t in items} - tested,
       "the manual reviews each", *sorted(tested ^ told))


def main():
    items, doubled = read_items()
    places = [Place(p) for p in sorted(glob.glob(SOURCES + "/clusters/simulated/*.place"))]
    os.makedirs(WORK)
    ok(len(items) > 400 and not doubled, "%d items, each once" % len(items), *doubled)
    for wanted in sorted({i.needs for i in items.values()}):
        check_needs(items, wanted)
    for place in places:
        check_place(items, place)
    check_claims(items, places)
    print("1..%d" % tests)
    return 1 if failed else 0


sys.exit(main())
