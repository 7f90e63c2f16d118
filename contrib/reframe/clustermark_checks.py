# SPDX-License-Identifier: BSD-3-Clause
"""ReFrame checks of clustermark's programs.

A site subclasses ClustermarkCheck, or sets its variables on the command line:

    reframe -C settings.py -c clustermark_checks.py -S programs=/opt/clustermark/bin -r

Each metric of a program is a performance variable under its own name, in its own unit. The sanity
check is the program's own: its answers were verified. A value that the machine disturbed while
it was measured (other processes, a hypervisor) is printed and compared with no reference, because
such a comparison would judge the disturbance; strict = True compares it all the same.
"""
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.logging import getlogger


class ClustermarkCheck(rfm.RunOnlyRegressionTest):
    """One program, once. References are given per system, as everywhere in ReFrame."""

    valid_systems = ['*']
    valid_prog_environs = ['*']
    tags = {'clustermark'}

    #: The folder of the programs; '': they are found along PATH.
    programs = variable(str, value='')
    #: The program, and its options beside --json.
    program = variable(str)
    options = variable(list, value=[])
    #: Compare disturbed values with references, too.
    strict = variable(bool, value=False)

    @run_after('setup')
    def set_command(self):
        self.executable = os.path.join(self.programs, self.program)
        self.executable_opts = ['--quiet', '--json', 'result.json', *self.options]
        self.keep_files = ['result.json']

    def results(self):
        with open(os.path.join(self.stagedir, 'result.json')) as file:
            record = json.load(file)
        if record.get('schema') != 'clustermark-result':
            raise ValueError('result.json is no result of clustermark')
        return record['results']

    @sanity_function
    def metrics_pass(self):
        """The program ended with 0, and every metric is PASS."""
        if self.job.exitcode != 0:
            with open(os.path.join(self.stagedir, str(self.stderr))) as file:
                said = (file.read().strip().splitlines() or [''])[-1]
            return sn.assert_eq(self.job.exitcode, 0,
                                msg=f'{self.program} ended with status {{0}}: {said}')
        wrong = [r['metric'] for r in self.results() if not r['pass']]
        return sn.assert_eq(wrong, [], msg='wrong answers: {0}')

    @run_before('performance')
    def set_performance(self):
        # What has no value (NaN) is null in JSON.
        values = {r['metric']: r for r in self.results() if r['value'] is not None}
        self.perf_variables = {
            metric: sn.make_performance_function(
                lambda value=r['value']: value, r['unit'])
            for metric, r in values.items()}
        disturbed = [m for m, r in values.items() if r['disturbed']]
        if self.strict or not disturbed:
            return
        getlogger().warning(
            f'{self.unique_name}: disturbed, not compared: {", ".join(disturbed)}')
        self.reference = {
            key: {m: v for m, v in by_metric.items() if m not in disturbed}
            for key, by_metric in references_of(self.reference).items()}


def references_of(reference):
    """ReFrame keeps scoped names: 'system:partition:metric'."""
    scopes = {}
    for name, value in dict(reference).items():
        scope, _, metric = name.rpartition(':')
        scopes.setdefault(scope or '*', {})[metric] = value
    return scopes


@rfm.simple_test
class clustermark_netpipe(ClustermarkCheck):
    """Two ranks, on two nodes where the system has them: latency and throughput."""
    program = 'cm-netpipe'
    options = ['--bind', '--upper', '4Mi']
    num_tasks = 2
    num_tasks_per_node = 1


@rfm.simple_test
class clustermark_stream(ClustermarkCheck):
    """The memory of one node, a rank on each core."""
    program = 'cm-stream'
    options = ['--bind']
    num_tasks_per_node = 1
    num_tasks = 1

    @run_after('setup')
    def all_cores(self):
        processor = self.current_partition.processor
        if processor.num_cores:
            self.num_tasks = self.num_tasks_per_node = processor.num_cores


@rfm.simple_test
class clustermark_nodes(ClustermarkCheck):
    """Which node is not like the others? A finding is a failure: the program ends with 1."""
    program = 'cm-nodes'
    options = ['--bind']
    num_tasks = 2
