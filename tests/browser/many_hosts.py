#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""many_hosts.py FOLDER [SEED]: makes of results of the dummy backend, whose ranks are on a host
each, such as a cluster of as many hosts would leave. The hosts are called n0001 and so on. Some of
them have another kernel, another MTU, less memory; one is slow. Adds the result of cm-nodes, which
the dummy backend cannot run. The same seed gives the same files."""
import glob
import json
import os
import random
import re
import statistics
import sys

FOLDER = sys.argv[1]
DRAW = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
MACHINE = {"cpu": "AMD EPYC 9654", "cores": "96", "threads": "192", "memory_bytes": "810000000000",
           "kernel": "Linux 6.1.0-28-amd64 x86_64", "governor": "performance", "comm": "mpi",
           "comm_version": "MPICH Version: 4.0.2", "shape": "1 rank on each host, 1 of 96 cores",
           "oversubscribed": "no", "core_shared": "no"}
NIC = "eth0 driver=mlx5_core mtu_bytes=9000 offloads=rx,tx,sg,tso,gso,gro"


def names(number):
    return [f"n{k:04}" for k in range(1, number + 1)]


def differences(number):
    """For each host what is not as on the first one."""
    differs = [{} for _ in range(number)]
    differs[517 % number]["kernel"] = "Linux 6.1.0-21-amd64 x86_64"
    differs[800 % number]["nic eth0 mtu_bytes"] = 1500
    for host in (2, 3):
        differs[host]["memory_bytes"] = 742000000000
    return differs


def words(number):
    """The same as the text file says it."""
    each = names(number)
    for key, usual in (("kernel", MACHINE["kernel"]), ("nic eth0 mtu_bytes", 9000),
                       ("memory_bytes", MACHINE["memory_bytes"])):
        odd = [(name, differs[key]) for name, differs in zip(each, differences(number))
               if key in differs]
        yield (f"{key}: {odd[0][1]} ({', '.join(name for name, _ in odd)}); {usual} "
               f"({each[0]}, {each[1]}, {each[4]} and {number - len(odd) - 3} others)")


# ---- results that are there --------------------------------------------------------------------

def renamed(text):
    """The hosts' names in running text."""
    return re.sub(r"\bdummy-(\d+)\b", lambda found: f"n{int(found.group(1)) + 1:04}", text)


def metadata(old):
    new = {}
    for key, value in old.items():
        if key == "ranks_per_host":
            value = " ".join(f"{name}:1" for name in names(int(old["hosts"])))
        elif key == "host":
            value = "n0001"
        new[key] = MACHINE.get(key, renamed(value) if isinstance(value, str) else value)
    new.update({"cpu": MACHINE["cpu"], "governor": MACHINE["governor"], "nic": NIC})
    if int(old["hosts"]) > 4:
        new["hosts_differ"] = list(words(int(old["hosts"])))
    return new


def number_of(value):
    """As the JSON of a result has it."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


def rename_json(path):
    with open(path, encoding="utf-8") as file:
        result = json.loads(renamed(file.read()))
    number = int(result["metadata"].get("hosts", 1))
    result["metadata"] = {key: number_of(value)
                          for key, value in metadata(result["metadata"]).items()}
    differs = differences(number) if number > 4 else [{}] * number
    result["hosts"] = [{"name": name, "ranks": 1, "differs": one}
                       for name, one in zip(names(number), differs)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    return result["metadata"]


def meta_lines(entries):
    for key, value in entries.items():
        for one in value if isinstance(value, list) else [value]:
            yield f"# {key}: {one}\n"


def rename_text(path, entries):
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    first = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(meta_lines(entries))
        file.writelines(renamed(line) for line in lines[first:])


# ---- cm-nodes ----------------------------------------------------------------------------------

COLUMNS = {"host": "%.0f", "ranks": "%.0f", "slow": "=no|yes", "triad_MB_per_s": "%.5g",
           "gemm_Mflop_per_s": "%.5g", "quiet": "%.4f", "latency_us": "%.4g",
           "send_MB_per_s": "%.4g", "receive_MB_per_s": "%.4g", "clock_offset_s": "%.2e",
           "clock_error_s": "%.2e"}
RATIOS = {"triad_ratio": "triad_MB_per_s", "gemm_ratio": "gemm_Mflop_per_s",
          "quiet_ratio": "quiet", "latency_ratio": "latency_us", "send_ratio": "send_MB_per_s",
          "receive_ratio": "receive_MB_per_s"}
SLOW = 17


def measured(host):
    slow = 0.7 if host == SLOW else 1
    return {"host": host, "ranks": 1, "slow": "yes" if host == SLOW else "no",
            "triad_MB_per_s": slow * DRAW.gauss(6.8e5, 4e3),
            "gemm_Mflop_per_s": DRAW.gauss(4.2e6, 2e4), "quiet": DRAW.uniform(0.995, 0.999),
            "latency_us": DRAW.gauss(1.9, 0.05), "send_MB_per_s": DRAW.gauss(12100, 60),
            "receive_MB_per_s": DRAW.gauss(12100, 60), "clock_offset_s": DRAW.gauss(0, 1e-5),
            "clock_error_s": 1e-6}


def node_rows(number):
    rows = [measured(host) for host in range(number)]
    for ratio, column in RATIOS.items():
        middle = statistics.median(row[column] for row in rows)
        for row in rows:
            row[ratio] = row[column] / middle
    return rows


def shown(column, value):
    form = COLUMNS.get(column, "%.3f")
    return value if form.startswith("=") else form % value


def nodes(entries):
    number = int(entries["hosts"])
    rows, columns = node_rows(number), [*COLUMNS, *RATIOS]
    cells = [[shown(column, row[column]) for column in columns] for row in rows]
    told = ["finding: n0018: triad at 0.700 of the others (50.0 deviations; 5.1 count): its memory"
            " [value=0.7 unit=1 bound=0.95 quantity=triad]"]
    results = [("findings", 4, "1"), ("slowest_ratio", 0.7, "1")] + [
        (name, float("%.6g" % statistics.median(row[column] for row in rows)), unit)
        for name, column, unit in (("triad_MB_per_s", "triad_MB_per_s", "MB/s"),
                                   ("gemm_Mflop_per_s", "gemm_Mflop_per_s", "Mflop/s"),
                                   ("latency_us", "latency_us", "us"),
                                   ("link_MB_per_s", "send_MB_per_s", "MB/s"))]
    entries = {**entries, "program": "cm-nodes", "command": "cm-nodes --bind"}
    with open(os.path.join(FOLDER, "nodes.txt"), "w", encoding="utf-8") as file:
        file.writelines(meta_lines(entries))
        file.writelines("  ".join(line) + "\n" for line in [columns, *cells])
        file.writelines(f"# {text}\n" for text in told)
        file.write("# CHECK: wrong_bytes: 0 == 0  PASS\n")
        file.writelines(f"# RESULT: PASS {name} {value:.6g} {unit}\n"
                        for name, value, unit in results)
    with open(os.path.join(FOLDER, "nodes.json"), "w", encoding="utf-8") as file:
        json.dump({
            "schema": "clustermark-result", "schema_version": 2, "program": "cm-nodes",
            "metadata": entries,
            "hosts": [{"name": name, "ranks": 1, "differs": one}
                      for name, one in zip(names(number), differences(number))],
            "columns": [{"name": column, "format": COLUMNS.get(column, "%.3f")}
                        for column in columns],
            "rows": [[cell if column == "slow" else float(cell)
                      for column, cell in zip(columns, line)] for line in cells],
            "samples": [], "comments": told,
            "checks": [{"name": "wrong_bytes", "value": 0, "relation": "==", "bound": 0,
                        "pass": True}],
            "results": [{"pass": True, "metric": name, "value": value, "unit": unit}
                        for name, value, unit in results]}, file)
    if os.path.exists(os.path.join(FOLDER, "nodes.skipped")):
        os.remove(os.path.join(FOLDER, "nodes.skipped"))


# ---- cm-stream: what the table of hosts takes of its JSON --------------------------------------

def stream(entries):
    """The hosts in reverse order; the slow one has 3/4 of the others' 400 GB/s."""
    number = int(entries["hosts"])
    rows = []
    for host in range(number):
        for kernel, at_once, rate in (("copy", number, 5e5), ("triad", 1, 3e4),
                                      ("triad", number, 4e5)):
            rate *= 0.75 if host == SLOW else 1
            rows.append([kernel, "ordinary", "memory", at_once, number - 1 - host, 6e3 / rate,
                         6e3 / rate, 6e3 / rate, rate, rate])
    with open(os.path.join(FOLDER, "stream.json"), "w", encoding="utf-8") as file:
        json.dump({
            "schema": "clustermark-result", "schema_version": 2, "program": "cm-stream",
            "metadata": {**entries, "program": "cm-stream", "array_bytes": 134217728},
            "hosts": [{"name": name, "ranks": 1, "differs": {}}
                      for name in reversed(names(number))],
            "columns": [{"name": column, "format": form} for column, form in (
                ("kernel", "=copy|triad"), ("stores", "=ordinary|non-temporal"),
                ("place", "=memory|cache"), ("ranks_at_once", "%.0f"), ("host", "%.0f"),
                ("median_s", "%.6g"), ("low_s", "%.6g"), ("high_s", "%.6g"),
                ("best_MB_per_s", "%.6g"), ("median_MB_per_s", "%.6g"))],
            "rows": rows, "samples": [], "comments": [], "checks": [],
            "results": [{"pass": True, "metric": "triad_MB_per_s", "value": 4e5,
                         "unit": "MB/s"}]}, file)


def main():
    largest = {"hosts": 0}
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.json"))):
        entries = rename_json(path)
        rename_text(path[:-len("json")] + "txt", entries)
        for launch in glob.glob(os.path.join(FOLDER, "launches",
                                             os.path.basename(path)[:-len("json")] + "*.json")):
            rename_json(launch)
        if int(entries.get("hosts", 1)) > int(largest["hosts"]):
            largest = entries
    nodes(largest)
    stream(largest)


main()
