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
   and len(good["results"]) == 2 and len(good["comments"]) == 1, "and has something in every list")

def refused(name, change):
    bad = copy.deepcopy(good)
    change(bad)
    ok(not validator.is_valid(bad), "refused: " + name)

for key in good: refused(f"no {key}", lambda d: d.pop(key))
refused("an unknown key", lambda d: d.update(more=1))
refused("another schema version", lambda d: d.update(schema_version=2))
refused("a truth in a row", lambda d: d["rows"][0].__setitem__(0, True))
refused("a relation that is none", lambda d: d["checks"][0].update(relation="!="))
refused("a check without a bound", lambda d: d["checks"][0].pop("bound"))
refused("a verdict that is no boolean", lambda d: d["results"][0].update(**{"pass": "PASS"}))
refused("a metadata key with a blank", lambda d: d["metadata"].update({"a b": "c"}))
refused("an array of one value", lambda d: d["metadata"].update(nic=["eth0"]))
refused("an object in the metadata", lambda d: d["metadata"].update(nic={}))
refused("a column of two words", lambda d: d["columns"][0].update(name="a b"))
refused("a format that is not a double's", lambda d: d["columns"][0].update(format="%d"))
refused("samples of row -1", lambda d: d["samples"][0].update(row=-1))
print(f"1..{n}")
sys.exit(failed)
PYTHON
status=$?
rm -f $file result_schema.err
exit $status
