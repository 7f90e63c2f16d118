# SPDX-License-Identifier: BSD-3-Clause
"""clustermark for Ramble and Benchpark: each RESULT line is a figure of merit.

    mkdir -p repo/applications/clustermark && cp application.py repo/applications/clustermark
    ramble repo create repo && ramble repo add repo

Written after Ramble's documentation of application definitions and not run with Ramble.
"""
from ramble.appkit import *


class Clustermark(SpackApplication):
    """Benchmarks of a cluster's network, memory, arithmetic and programs, with verified answers"""
    name = 'clustermark'

    tags('synthetic-benchmarks', 'network', 'memory-benchmark')

    software_spec('clustermark', pkg_spec='clustermark')
    required_package('clustermark')

    executable('netpipe', 'cm-netpipe --bind --quiet {options}', use_mpi=True)
    executable('stream', 'cm-stream --bind --quiet {options}', use_mpi=True)
    executable('nodes', 'cm-nodes --bind --quiet {options}', use_mpi=True)
    executable('collective', 'cm-collective --bind --quiet {options}', use_mpi=True)
    executable('linpack', 'cm-linpack --bind --quiet -n {order} {options}', use_mpi=True)
    executable('heat', 'cm-heat --bind --quiet {options}', use_mpi=True)

    programs = ['netpipe', 'stream', 'nodes', 'collective', 'linpack', 'heat']
    for program in programs:
        workload(program, executables=[program])
    workload_variable('options', default='', description='further options of the program',
                      workloads=programs)
    workload_variable('order', default='8000', description='order of the system',
                      workloads=['linpack'])

    # RESULT: PASS latency_us 5.27 us low=5.24 high=5.30 interval=95% ... disturbed=no
    log = '{experiment_run_dir}/{experiment_name}.out'
    figure_of_merit('{metric}', log_file=log,
                    fom_regex=r'# RESULT: PASS (?P<metric>\S+) (?P<value>\S+) (?P<unit>\S+)',
                    group_name='value', units='{unit}')
    figure_of_merit('{metric} disturbed', log_file=log,
                    fom_regex=r'# RESULT: \S+ (?P<metric>\S+) .* disturbed=(?P<disturbed>\w+)',
                    group_name='disturbed', units='')

    success_criteria('answers', mode='string', match=r'# RESULT: PASS .*', file=log)
