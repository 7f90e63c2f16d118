#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""made_up_run.py FOLDER TABLE BUILD: makes of TABLE (suite/benchmarks.tab) the results of a quick
run of one host: each benchmark of the profile, with the metrics that its program in BUILD names.
The numbers are made up."""
import os
import subprocess
import sys

FOLDER, TABLE, BUILD = sys.argv[1:4]
ROWS = 40
HEAD = """# program: {program}
# date: 2026-11-22T22:11:03Z
# ranks: 2
# hosts: 1
# ranks_per_host: made-up:2
# oversubscribed: no
# core_shared: no
# bound: to cores
# shape: 2 ranks on 1 host, 2 of 2 cores
# comm: mpi
# comm_version: MPICH Version: 4.0.2
# host: made-up
# cpu: AMD EPYC 9654
# cores: 2
# kernel: Linux 6.1.0-28-amd64 x86_64
"""


def runs():
    """The runs of the table that a quick run of many ranks on one host has."""
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            run = dict(field.split("=", 1) for field in line.strip().split("|"))
            if "quick" in run and "rails" not in run["ranks"].split():
                yield run


def metrics(run, program):
    """Name and unit of what compare tests, then of all that the program names."""
    out = subprocess.run([program, "--print-metrics"], capture_output=True, text=True, check=True)
    named = dict(line.split("\t")[:2] for line in out.stdout.splitlines())
    units = {name.replace("*", "double"): unit for name, unit in named.items()}
    words = [run.get("headline", "")] + run.get("further", "").split()
    first = {name: units.get(name, "us") for name in words if name and ":" not in name}
    return {**first, **units}


def write(run):
    program, _, word = run["run"].partition("/")
    name = program.removeprefix("cm-") + (f"-{word}" if word else "")
    with open(os.path.join(FOLDER, name + ".txt"), "w", encoding="utf-8") as file:
        file.write(HEAD.format(program=program))
        file.write("size_bytes median_s low_s high_s\n")
        for row in range(ROWS):
            file.write(f"{2 ** row} {row + 1}e-06 {row + 0.9}e-06 {row + 1.1}e-06\n")
        file.write("# FIT: line latency_us 1.5\n# FIT: line latency_us_error 0.1\n"
                   "# CHECK: wrong_bytes: 0 == 0  PASS\n")
        for k, (metric, unit) in enumerate(metrics(run, os.path.join(BUILD, run["folder"],
                                                                     program)).items()):
            file.write(f"# RESULT: PASS {metric} {1234.5 + k} {unit} low={1200 + k} "
                       f"high={1300 + k} interval=range over=launches n=3 "
                       f"disturbed={'yes' if k % 5 == 1 else 'no'}\n")


os.makedirs(FOLDER)
for one in runs():
    write(one)
with open(os.path.join(FOLDER, "run.txt"), "w", encoding="utf-8") as told:
    told.write("version: 0.1.0\nprofile: quick\ncomm: mpi\nhosts: this host\nranks: 2\n"
               "launcher: mpiexec -n %n\ndate: 2026-11-22T22:11:03Z\n")
