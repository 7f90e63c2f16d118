#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# result_schema.sh: doc/result.schema.json accepts a produced file and refuses what is not one.
set -u
schema=${srcdir:-.}/../doc/result.schema.json
file=result_schema.json
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ||
    { echo "1..0 # SKIP python3 has no jsonschema of draft 2020-12"; exit 0; }
rm -f $file
./unit/result_program --json $file >/dev/null 2>result_schema.err || {
    if grep -q 'has no JSON' result_schema.err; then
        echo "1..0 # SKIP built without jansson"
        exit 0
    fi
    cat result_schema.err
    exit 1
}
python3 - "$schema" $file <<'PYTHON'
import copy, json, sys
from jsonschema import Draft202012Validator

n = 0
failed = False
def ok(good, name):
    global n, failed
    n += 1
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {n} - {name}")

schema = json.load(open(sys.argv[1]))
good = json.load(open(sys.argv[2]), parse_constant=lambda c: sys.exit(f"not JSON: {c}"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
errors = [e.message for e in validator.iter_errors(good)]
ok(not errors, "a produced file fits the schema")
for e in errors: print("#", e)
ok(len(good["rows"]) == 3 and len(good["samples"]) == 3 and len(good["checks"]) == 1
   and len(good["results"]) == 2 and len(good["comments"]) >= 1 and len(good["hosts"]) == 2
   and len(good["hosts"][1]["differs"]) == 2, "and has something in every list")

with_interval, without = good["results"]
ok((with_interval["low"], with_interval["high"], with_interval["interval"], with_interval["over"],
    with_interval["n"], with_interval["disturbed"], with_interval["better"])
   == (0.9, 1.1, "range", "trials", 3, True, "low"), "a result with an interval")
ok(without["low"] is None and without["disturbed"] is None and without["better"] == "high",
   "and one without")

def refused(name, change):
    bad = copy.deepcopy(good)
    change(bad)
    ok(not validator.is_valid(bad), "refused: " + name)

for key in good: refused(f"no {key}", lambda d: d.pop(key))
refused("an unknown key", lambda d: d.update(more=1))
refused("another schema version", lambda d: d.update(schema_version=1))
refused("a truth in a row", lambda d: d["rows"][0].__setitem__(0, True))
refused("a relation that is none", lambda d: d["checks"][0].update(relation="!="))
refused("a check without a bound", lambda d: d["checks"][0].pop("bound"))
refused("a metric that is no boolean", lambda d: d["results"][0].update(**{"pass": "PASS"}))
refused("an interval over nothing", lambda d: d["results"][0].update(over=""))
refused("an interval of unknown kind", lambda d: d["results"][0].update(interval="99%"))
refused("a result without low", lambda d: d["results"][0].pop("low"))
refused("a result that is better sideways", lambda d: d["results"][0].update(better="sideways"))
refused("a disturbed sample -1", lambda d: d["samples"][0].update(disturbed=[-1]))
refused("a metadata key with a blank", lambda d: d["metadata"].update({"a b": "c"}))
refused("an array of one value", lambda d: d["metadata"].update(nic=["eth0"]))
refused("an object in the metadata", lambda d: d["metadata"].update(nic={}))
refused("a host without its ranks", lambda d: d["hosts"][0].pop("ranks"))
refused("a host without ranks on it", lambda d: d["hosts"][0].update(ranks=0))
refused("a list of what differs", lambda d: d["hosts"][0].update(differs=[]))
refused("a difference that is a list", lambda d: d["hosts"][1]["differs"].update(nic=["eth0"]))
refused("a column of two words", lambda d: d["columns"][0].update(name="a b"))
refused("a format that is not a double's", lambda d: d["columns"][0].update(format="%d"))
refused("samples of row -1", lambda d: d["samples"][0].update(row=-1))
print(f"1..{n}")
sys.exit(failed)
PYTHON
status=$?
rm -f $file result_schema.err
exit $status
