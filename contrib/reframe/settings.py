# SPDX-License-Identifier: BSD-3-Clause
"""An example: this machine alone, with programs of clustermark's native backends.

Where clustermark was built over MPI, 'launcher' is what the site's other checks have ('srun',
'mpirun'); cmrun is one more, registered here.
"""
from reframe.core.backends import register_launcher
from reframe.core.launchers import JobLauncher


@register_launcher('cmrun')
class CmrunLauncher(JobLauncher):
    def command(self, job):
        return ['cmrun', '-n', str(job.num_tasks)]


site_configuration = {
    'systems': [{
        'name': 'here',
        'hostnames': ['.*'],
        'partitions': [{
            'name': 'node',
            'scheduler': 'local',
            'launcher': 'cmrun',
            'environs': ['builtin'],
        }],
    }],
}
