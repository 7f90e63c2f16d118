# SPDX-License-Identifier: BSD-3-Clause
# machine: what this computer is.
nobase_pkginclude_HEADERS += machine/machine.h machine/interface.h
libclustermark_la_SOURCES += machine/machine_internal.h machine/counters.h machine/cpus.h \
	machine/disturbance.h \
	machine/energy.h machine/energy_slurm.h machine/instruction_sets.h machine/sets.h \
	machine/node.h machine/temperature.h machine/traffic.h \
	machine/bind.c machine/blas_kernel.c machine/built_for.c machine/cgroup.c \
	machine/counters.c machine/cpus.c machine/describe.c machine/disturbance.c machine/energy.c \
	machine/energy_slurm.c machine/file.c machine/fma.c machine/hypervisor.c machine/interface.c \
	machine/inventory.c \
	machine/kernel.c machine/memory.c machine/memory_channels.c machine/network.c \
	machine/numa.c machine/offloads.c machine/peak.c machine/processor.c machine/require_cpu.c \
	machine/sets.c machine/temperature.c machine/traffic.c \
	machine/node.c machine/node_clear.c machine/node_hwloc.c machine/node_kinds.c \
	machine/node_numas.c machine/node_places.c \
	machine/node_sysfs.c machine/processors.c machine/this_node.c
set_sources += machine/built_for.c
