# SPDX-License-Identifier: BSD-3-Clause
"""suite_history.py DIR RESULTS HOSTS [TABLE|steady|gaps]: writes kept results as `clustermark
baseline add` does, one every 12 hours, with steps that are known: the linear equations get slower
by 5 % where the BLAS changes, the latency grows by 10 % and is repaired, n03's memory gives 10 %
less from half of the results on, n11 to n14 send 20 % less from 4/5 of the results on, and each
50th host stands out now and then. Everything else is noise of 1 %. TABLE, suite/benchmarks.tab:
with the headlines of all its benchmarks. steady: nothing changes, so that all is noise, of 1 % in
four of six headlines and in the hosts, of 2 and 3 % in the others. gaps: so, but four headlines
have three results each, and one headline and one host always have the same values."""
import datetime, json, os, random, sys

folder, results, hosts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(7)
# Benchmark, metric, unit, which way is better, value, noise.
HEADLINES = [('hint', 'net_quips_double', 'QUIPS', 'high', 5.2e8, .01),
             ('stream', 'triad_MB_per_s', 'MB/s', 'high', 48000, .01),
             ('netpipe', 'latency_us', 'us', 'low', 1.9, .01),
             ('linpack', 'rate_Gflop_per_s', 'Gflop/s', 'high', 2100, .01),
             ('heat', 'rate_GLUP_per_s', 'GLUP/s', 'high', 12.5, .02),
             ('collective', 'allreduce_doubling_us', 'us', 'low', 6.1, .03)]
QUANTITIES = [('triad_MB_per_s', 'MB/s', 'high', 48000),
              ('gemm_Mflop_per_s', 'Mflop/s', 'high', 52000),
              ('latency_us', 'us', 'low', 1.9), ('send_MB_per_s', 'MB/s', 'high', 11800)]

gaps = sys.argv[4:] == ['gaps']
steady = gaps or sys.argv[4:] == ['steady']
if len(sys.argv) > 4 and not steady:
    with open(sys.argv[4], encoding='utf-8') as table:
        for line in table:
            run = dict(field.split('=', 1) for field in line.strip().split('|') if '=' in field)
            name = run['run'].removeprefix('cm-').replace('/', '-') if 'run' in run else None
            if name and run.get('headline') and name not in [known[0] for known in HEADLINES]:
                HEADLINES.append((name, run['headline'], 'MB/s', 'high', 1000, .01))


def noisy(value, noise):
    return float(f'{value * (1 + random.gauss(0, noise)):.6g}')


def is_there(k, benchmark):
    return not gaps or k >= results - 3 or benchmark in ('hint', 'stream')


def factor(benchmark, k):
    if steady:
        return 1
    if benchmark == 'linpack' and k >= results * 6 // 10:
        return .95
    if benchmark == 'netpipe' and results * 3 // 10 <= k < results * 5 // 10:
        return 1.1
    return 1


def result(k, benchmark, metric, unit, better, value, noise):
    middle = noisy(value * factor(benchmark, k), 0 if gaps and benchmark == 'stream' else noise)
    return {'benchmark': benchmark, 'metric': metric, 'unit': unit, 'better': better,
            'meaning': None, 'labels': {}, 'value': middle, 'low': noisy(middle * .99, 0),
            'high': noisy(middle * 1.01, 0), 'interval': '95%', 'over': 'launches', 'n': 6,
            'values': [middle] * 6, 'disturbed': k % 17 == 3, 'pass': True, 'hosts': hosts,
            'ranks': 8 * hosts}


def host(k, h):
    lame = {} if steady else {'t': .9 if h == 3 and k >= results // 2 else 1,
                              's': .8 if 11 <= h <= 14 and k >= results * 8 // 10 else 1}
    return {'host': f'n{h:02}', 'ranks': 8, 'disturbed': False,
            'stands_out': h % 50 == 0 and k % 7 == h % 7,
            'machine': {'microcode': '0x2b'} if h == 2 and k >= results * 4 // 10 else {},
            'quantities': [{'metric': metric, 'unit': unit, 'better': better,
                            'values': [noisy(value * lame.get(metric[0], 1),
                                             0 if gaps and h == 1 else .01)]}
                           for metric, unit, better, value in QUANTITIES]}


def checksum(kept):
    text = json.dumps({k: v for k, v in kept.items() if k != 'kept_from'}, sort_keys=True,
                      separators=(',', ':'), ensure_ascii=False)
    total = 2166136261
    for byte in text.encode():
        total = (total ^ byte) * 16777619 % 2**32
    return total


os.makedirs(folder, exist_ok=True)
for k in range(results):
    at = datetime.datetime(2026, 3, 1, 3) + datetime.timedelta(hours=12 * k)
    kept = {'schema': 'clustermark-kept', 'schema_version': 1, 'kept_from': f'night-{k}',
            'cluster': 'n', 'run': {'version': '0.1.0', 'comm': 'mpi', 'hosts': 'n[01-99]',
                                    'ranks': str(8 * hosts), 'date': f'{at:%Y-%m-%dT%H:%M:%SZ}'},
            'machine': {'kernel': 'Linux 6.1.<9>' if k >= results // 4 else 'Linux 6.1.8',
                        'blas': 'OpenBLAS 0.3.28' if k >= results * 6 // 10 else 'OpenBLAS 0.3.26',
                        'microcode': '0x2a', 'mpi': 'MPICH 4.2'},
            'results': [result(k, *headline) for headline in HEADLINES
                        if is_there(k, headline[0])],
            'hosts': [host(k, h) for h in range(1, hosts + 1)]}
    name = f'{folder}/{at:%Y%m%dT%H%M%S}-n-{checksum(kept):08x}.json'
    with open(name, 'w', encoding='utf-8') as file:
        json.dump(kept, file, ensure_ascii=False)
