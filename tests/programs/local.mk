# SPDX-License-Identifier: BSD-3-Clause
# The cm-* programs and the suite: scripts do whole runs, jobs (.ranks) test single parts, and
# *_faulty are the same programs with results that are wrong on purpose.

# cm-netpipe, its figures, and the suite that runs it and makes the report.
suite_tests = programs/suite.sh programs/suite_survive.sh programs/suite_papers.sh \
    programs/suite_first.sh programs/suite_levels.sh programs/suite_shapes.sh \
    programs/suite_launchers.sh
# On results that are given.
suite_once = programs/suite_launches.sh programs/suite_page.sh programs/papers_second.sh \
    programs/suite_cross.sh programs/figures.sh programs/suite_compare.sh \
    programs/suite_curves.sh programs/suite_scale.sh programs/suite_live.sh programs/suite_both.sh \
    programs/machine.sh programs/suite_compare_further.sh programs/suite_compare_run.sh \
    programs/suite_backends.sh \
    programs/suite_matrix.sh programs/suite_rates.sh programs/suite_export.sh \
    programs/suite_findings.sh programs/suite_seal.sh programs/suite_baseline.sh \
    programs/suite_history.sh programs/contrib.sh programs/recipes.sh
# Builds the package anew.
LONG_TESTS += programs/debian.sh
dist_check_SCRIPTS += programs/debian.sh
LONGEST_TESTS += programs/netpipe.sh
TESTS += programs/distance.sh
programs/distance.log: run-ranks
ANY_TESTS += $(suite_tests)
ONCE_TESTS += $(suite_once)
dist_check_SCRIPTS += programs/netpipe.sh programs/distance.sh $(suite_tests) $(suite_once)
EXTRA_DIST += programs/suite_frozen programs/papers_second.py programs/suite_history.py \
    programs/suite_live.py programs/recipes.tab
# Their stand-ins for benchmarks write JSON by this. Without jansson there is no suite.
if HAVE_JANSSON
check_PROGRAMS += programs/record_json
programs/suite_backends.log programs/suite_findings.log programs/suite_launches.log \
    programs/suite_live.log programs/suite_shapes.log programs/suite_launchers.log \
    programs/suite.log programs/suite_survive.log: programs/record_json$(EXEEXT)
programs/suite_survive.log: programs/stopped_child.so
endif
LONG_TESTS += programs/suite_rows.sh
dist_check_SCRIPTS += programs/suite_rows.sh
RANKS_TESTS += programs/netpipe_modes.ranks
programs_netpipe_modes_ranks_SOURCES = programs/netpipe_modes.c ../netpipe/netpipe_overlap.c
programs_netpipe_modes_ranks_CPPFLAGS = $(AM_CPPFLAGS)
programs_netpipe_modes_ranks_LDADD = ../src/libcmpairs.la $(LDADD)

# Simulated clusters. The package is built once more for the simulator.
dist_check_SCRIPTS += programs/places.sh programs/places_all.sh
LONG_TESTS += programs/places.sh programs/places_all.sh
clean-simulated:
	rm -rf simulated
.PHONY: clean-simulated

# Hosts that share a kernel.
ANY_TESTS += programs/computers.sh programs/virtual_place.sh
dist_check_SCRIPTS += programs/computers.sh programs/virtual_place.sh

# Ranks that share processors; each native backend has its way.
TESTS += programs/waiting.sh
dist_check_SCRIPTS += programs/waiting.sh

# The programs that measure patterns between pairs of ranks.
ANY_TESTS += programs/patterns.sh programs/bisection.sh programs/linkmap.sh
dist_check_SCRIPTS += programs/patterns.sh programs/bisection.sh programs/linkmap.sh
programs/patterns.log programs/bisection.log programs/linkmap.log: run-ranks
LONG_TESTS += programs/linkmap_hosts.sh programs/made_up_node.sh programs/qemu_nodes.sh
dist_check_SCRIPTS += programs/linkmap_hosts.sh programs/made_up_node.sh programs/qemu_nodes.sh

# cm-noise, and a process that disturbs it.
check_PROGRAMS += programs/noise_load
ANY_TESTS += programs/noise.sh
dist_check_SCRIPTS += programs/noise.sh
programs_noise_load_SOURCES = programs/noise_load.c
programs/noise.log: programs/noise_load$(EXEEXT) run-ranks

# The energy of a run, by counters that are files.
check_PROGRAMS += programs/energy_false
ANY_TESTS += programs/energy.sh
dist_check_SCRIPTS += programs/energy.sh
EXTRA_DIST += energy.inc
programs_energy_false_SOURCES = programs/energy_false.c
programs/energy.log programs/computers.log: programs/energy_false$(EXEEXT) run-ranks

# CM_DELAY_NS.
ANY_TESTS += programs/delay.sh
dist_check_SCRIPTS += programs/delay.sh
programs/delay.log: run-ranks

# cm-loggp, and the same program with ranks that look slowly at what disturbs them.
check_PROGRAMS += programs/loggp_slow
ANY_TESTS += programs/loggp.sh
dist_check_SCRIPTS += programs/loggp.sh
programs_loggp_slow_SOURCES = programs/loggp_slow.c ../network/loggp/loggp.c \
    ../network/loggp/loggp_check.c ../network/loggp/loggp_fit.c \
    ../network/loggp/loggp_kernels.c ../network/loggp/loggp_result.c \
    ../network/loggp/loggp_run.c
programs_loggp_slow_CPPFLAGS = $(AM_CPPFLAGS)
programs_loggp_slow_LDADD = ../src/libcmpairs.la $(LDADD)
programs/loggp.log: programs/loggp_slow$(EXEEXT) run-ranks

# cm-congestion, and the same program with communication that goes wrong on purpose, and is logged.
check_PROGRAMS += programs/congestion_faulty
ANY_TESTS += programs/congestion.sh
dist_check_SCRIPTS += programs/congestion.sh
programs_congestion_faulty_SOURCES = programs/congestion_faulty.c \
    ../network/congestion/congestion.c ../network/congestion/congestion_check.c \
    ../network/congestion/congestion_estimate.c ../network/congestion/congestion_load.c \
    ../network/congestion/congestion_place.c ../network/congestion/congestion_result.c \
    ../network/congestion/congestion_run.c ../network/congestion/congestion_victim.c
programs_congestion_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_alltoall=congestion_faulty_alltoall \
    -Dcm_allreduce=congestion_faulty_allreduce -Dcm_barrier=congestion_faulty_barrier \
    -Dcm_bcast=congestion_faulty_bcast -Dcm_send=congestion_faulty_send \
    -Dcm_isend=congestion_faulty_isend
programs_congestion_faulty_LDADD = ../src/libcmpairs.la $(LDADD)
programs/congestion.log: programs/congestion_faulty$(EXEEXT) run-ranks

# cm-collective, and the same program with operations that go wrong on purpose.
check_PROGRAMS += programs/collective_faulty
LONGEST_ANY_TESTS += programs/collective.sh
dist_check_SCRIPTS += programs/collective.sh
programs_collective_faulty_SOURCES = programs/collective_faulty.c \
    ../network/collective/collective.c ../network/collective/collective_check.c \
    ../network/collective/collective_clock.c ../network/collective/collective_measure.c \
    ../network/collective/collective_nonblocking.c ../network/collective/collective_overlap.c \
    ../network/collective/collective_operation.c ../network/collective/collective_plan.c \
    ../network/collective/collective_result.c ../network/collective/collective_run.c \
    ../network/collective/collective_tuning.c ../network/collective/collective_verify.c \
    ../network/collective/collective_window.c
programs_collective_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_bcast=collective_faulty_bcast \
    -Dcm_allreduce=collective_faulty_allreduce -Dcm_alltoall=collective_faulty_alltoall \
    -Dcm_barrier=collective_faulty_barrier -Dcm_iallreduce=collective_faulty_iallreduce \
    -Dcm_machine_memory_share_bytes=collective_faulty_share_bytes
programs_collective_faulty_LDADD = ../src/libcmpairs.la $(LDADD)
RANKS_TESTS += programs/collective_clock.ranks
programs_collective_clock_ranks_CPPFLAGS = $(AM_CPPFLAGS)
programs_collective_clock_ranks_SOURCES = programs/collective_clock.c \
    ../network/collective/collective_clock.c
programs/collective.log: programs/collective_faulty$(EXEEXT) run-ranks

# cm-sockets, and the same program receiving what was made wrong on purpose.
check_PROGRAMS += programs/sockets_faulty
LONGEST_ANY_TESTS += programs/sockets.sh
dist_check_SCRIPTS += programs/sockets.sh
programs_sockets_faulty_SOURCES = programs/sockets_faulty.c ../network/sockets/sockets.c \
    ../network/sockets/sockets_check.c ../network/sockets/sockets_connect.c \
    ../network/sockets/sockets_histogram.c ../network/sockets/sockets_meter.c \
    ../network/sockets/sockets_one_way.c ../network/sockets/sockets_pattern.c \
    ../network/sockets/sockets_place.c ../network/sockets/sockets_plan.c \
    ../network/sockets/sockets_result.c ../network/sockets/sockets_result_metrics.c \
    ../network/sockets/sockets_run.c ../network/sockets/sockets_sequence.c \
    ../network/sockets/sockets_tcp_stream.c ../network/sockets/sockets_tcp_turn.c \
    ../network/sockets/sockets_transfer.c ../network/sockets/sockets_udp_stream.c \
    ../network/sockets/sockets_udp_turn.c
programs_sockets_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Drecv=sockets_faulty_recv \
    -Dcm_sample_watch_end=sockets_faulty_watch_end -Dcm_sample=sockets_faulty_sample
programs_sockets_faulty_LDADD = ../src/libcmpairs.la $(LDADD)
programs/sockets.log: programs/sockets_faulty$(EXEEXT) run-ranks

# What programs refuse, by one start of each.
ANY_TESTS += programs/refusals.sh
dist_check_SCRIPTS += programs/refusals.sh
EXTRA_DIST += programs/refusals.c programs/refusals.tab
check_DATA += programs/refusals.so
CLEANFILES += programs/refusals.so
programs/refusals.so: programs/refusals.c
	$(AM_V_at)$(MKDIR_P) programs
	$(AM_V_CC)$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) -D_GNU_SOURCE $(AM_CFLAGS) $(CFLAGS) -shared \
	    -fPIC -o $@ $(srcdir)/programs/refusals.c -ldl

EXTRA_DIST += programs/stopped_child.c
check_DATA += programs/stopped_child.so
CLEANFILES += programs/stopped_child.so
programs/stopped_child.so: programs/stopped_child.c
	$(AM_V_at)$(MKDIR_P) programs
	$(AM_V_CC)$(CC) -D_GNU_SOURCE $(AM_CFLAGS) $(CFLAGS) -shared -fPIC -o $@ \
	    $(srcdir)/programs/stopped_child.c -ldl

# Every program and the CM_ variables.
ANY_TESTS += programs/environment.sh
LONG_TESTS += programs/each.sh
dist_check_SCRIPTS += programs/environment.sh programs/each.sh
programs/environment.log programs/each.log: run-ranks

# Instruction sets chosen at start. Here and below: kernels, which no transport changes.
ONCE_TESTS += programs/sets.sh
dist_check_SCRIPTS += programs/sets.sh
programs/sets.log: run-ranks

# cm-hint, cm-stream, cm-heat, and cm-heat's trials with the test's own clock, waiting and kernels.
LONGEST_TESTS += programs/heat.sh
LONGEST_ANY_TESTS += programs/hint.sh
ONCE_TESTS += programs/stream.sh
ANY_TESTS += programs/heat_files.sh
ANY_TESTS += programs/heat_blocks.sh programs/heat_multigrid.sh
dist_check_SCRIPTS += programs/hint.sh programs/stream.sh programs/heat.sh programs/heat_files.sh
dist_check_SCRIPTS += programs/heat_blocks.sh programs/heat_multigrid.sh
programs/hint.log programs/stream.log programs/heat.log programs/heat_files.log: run-ranks
programs/stream.log: programs/stream_faulty$(EXEEXT)
check_PROGRAMS += programs/stream_faulty
programs_stream_faulty_SOURCES = programs/stream_faulty.c ../stream/stream.c \
    ../stream/stream_chase.c ../stream/stream_check.c ../stream/stream_latency.c \
    ../stream/stream_latency_result.c ../stream/stream_matrix.c ../stream/stream_matrix_plan.c \
    ../stream/stream_measure.c ../stream/stream_moved.c ../stream/stream_pages.c \
    ../stream/stream_plain.c ../stream/stream_result.c ../stream/stream_run.c \
    ../stream/stream_size.c ../stream/stream_span.c ../stream/stream_sweep.c \
    ../stream/stream_swept.c ../stream/stream_take.c
programs_stream_faulty_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_stream_run=stream_faulty_run \
    -Dsched_getcpu=stream_faulty_cpu -Dcm_machine_node_read=stream_faulty_node_read \
    -Dcm_machine_numa_prefer=stream_faulty_prefer \
    -Dcm_machine_numa_farthest=stream_faulty_farthest
programs_stream_faulty_LDADD = $(LDADD) -lm
programs/heat_blocks.log programs/heat_multigrid.log: run-ranks
RANKS_TESTS += programs/heat_trials.ranks
programs_heat_trials_ranks_SOURCES = programs/heat_trials.c ../heat/heat_choose.c \
    ../heat/heat_blocks.c ../heat/heat_collect.c ../heat/heat_columns.c ../heat/heat_exchange.c \
    ../heat/heat_fewer.c ../heat/heat_halo.c ../heat/heat_iterate.c ../heat/heat_level.c \
    ../heat/heat_levels.c ../heat/heat_multigrid.c ../heat/heat_plate.c ../heat/heat_relax.c \
    ../heat/heat_sides.c ../heat/heat_split.c
programs_heat_trials_ranks_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_time=heat_trials_time \
    -Dcm_waitall=heat_trials_waitall -Dcm_gatherv=heat_trials_gatherv
programs_heat_trials_ranks_LDADD = ../heat/libheat.la $(LDADD) -lm

# cm-linpack, and its solvers against LAPACK's.
EXTRA_DIST += programs/linpack_factor.inc programs/linpack_hpl.dat programs/linpack_verdict.inc \
    programs/linpack_tournament.inc
dist_check_SCRIPTS += programs/linpack.sh programs/linpack_hpl.sh programs/linpack_low.sh \
    programs/blas.sh programs/xhpl.sh programs/xhpl_files.sh programs/xhpl_hpcc.sh
EXTRA_DIST += programs/low_blas.c programs/xhpl.inc programs/xhpl_file.awk programs/xhpl_files.txt
if HAVE_BLAS
LONGEST_TESTS += programs/linpack.sh
ONCE_TESTS += programs/linpack_low.sh programs/blas.sh
check_DATA += programs/low_blas.so
CLEANFILES += programs/low_blas.so
programs/low_blas.so: programs/low_blas.c low_gemm.h
	$(AM_V_CC)$(MKDIR_P) programs && $(CC) $(AM_CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -shared -fPIC \
	    -Wl,--no-as-needed -o $@ $(srcdir)/programs/low_blas.c $(BLAS_LIBS) -lm -ldl
programs/linpack_low.log: run-ranks programs/low_blas.so
programs/linpack.log: run-ranks
ANY_TESTS += programs/linpack_hpl.sh
programs/linpack_hpl.log: run-ranks
TESTS += programs/xhpl.sh
ANY_TESTS += programs/xhpl_files.sh
LONG_TESTS += programs/xhpl_hpcc.sh
programs/xhpl.log programs/xhpl_files.log programs/xhpl_hpcc.log: run-ranks
# Those that call LAPACK, and grids that the usual numbers of ranks do not have. Without LAPACK they
# are not there, as without a BLAS cm-linpack's are not; configure says so.
dist_check_SCRIPTS += programs/linpack_grids.sh programs/linpack_verdict_grids.sh
if HAVE_LAPACK
linpack_lapack = ../linpack/liblinpack.la $(LDADD) $(BLAS_LIBS) $(LAPACK_LIBS) $(FCLIBS) -lm
RANKS_TESTS += programs/linpack_factor.ranks programs/linpack_answer.ranks \
    programs/linpack_verdict.ranks programs/linpack_refine.ranks
programs_linpack_verdict_ranks_SOURCES = programs/linpack_verdict.c
programs_linpack_verdict_ranks_LDADD = $(linpack_lapack)
programs_linpack_answer_ranks_SOURCES = programs/linpack_answer.c
programs_linpack_answer_ranks_LDADD = $(linpack_lapack)
programs_linpack_refine_ranks_SOURCES = programs/linpack_refine.c
programs_linpack_refine_ranks_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=cm_machine_memory_share_bytes
programs_linpack_refine_ranks_LDADD = $(linpack_lapack)
programs_linpack_factor_ranks_SOURCES = programs/linpack_factor.c
programs_linpack_factor_ranks_LDADD = $(linpack_lapack)
ANY_TESTS += programs/linpack_grids.sh programs/linpack_verdict_grids.sh
programs/linpack_grids.log: run-ranks programs/linpack_factor.ranks programs/linpack_refine.ranks
programs/linpack_verdict_grids.log: run-ranks programs/linpack_verdict.ranks
endif
endif

# cm-sort.
dist_check_SCRIPTS += programs/sort.sh
LONGEST_TESTS += programs/sort.sh
sort_library = ../sscrap/sort/libsort.la ../sscrap/common/libsscrap.la $(LDADD) -lm
RANKS_TESTS += programs/sort_retry.ranks
programs_sort_retry_ranks_SOURCES = programs/sort_retry.c
programs_sort_retry_ranks_LDADD = $(sort_library)
if HAVE_HIGHWAY
programs_sort_retry_ranks_LDADD += ../sscrap/sort/libsortvector.la $(HIGHWAY_LIBS)
programs_sort_retry_ranks_LINK = $(CXXLINK)
else
programs_sort_retry_ranks_SOURCES += programs/sort_plain_part.c
programs_sort_retry_ranks_LINK = $(LINK)
endif
RANKS_TESTS += programs/sort_reference.ranks
programs_sort_reference_ranks_SOURCES = programs/sort_reference.c programs/sort_plain_part.c
programs_sort_reference_ranks_LDADD = $(sort_library)
check_PROGRAMS += programs/sort_faulty
programs_sort_faulty_SOURCES = programs/sort_faulty.c programs/sort_plain_part.c \
    ../sscrap/sort/sort.c
programs_sort_faulty_CPPFLAGS = $(AM_CPPFLAGS)
programs_sort_faulty_LDADD = $(sort_library)
programs/sort.log: run-ranks programs/sort_faulty$(EXEEXT) programs/sort_reference.ranks$(EXEEXT)

# cm-listrank. listrank_endless gives it successors that form no list.
dist_check_SCRIPTS += programs/listrank.sh
LONGEST_TESTS += programs/listrank.sh
check_PROGRAMS += programs/listrank_faulty programs/listrank_endless programs/listrank_walked \
    programs/listrank_local
programs_listrank_faulty_SOURCES = programs/listrank_faulty.c ../sscrap/listrank/listrank.c \
    ../sscrap/listrank/listrank_copy.c ../sscrap/listrank/listrank_list.c \
    ../sscrap/listrank/listrank_tokens.c ../sscrap/listrank/listrank_rulers.c \
    ../sscrap/listrank/listrank_method.c ../sscrap/listrank/listrank_model.c \
    ../sscrap/listrank/listrank_rulers_model.c ../sscrap/listrank/listrank_trial.c \
    ../sscrap/listrank/listrank_pair.c ../sscrap/listrank/listrank_walk.c \
    ../sscrap/listrank/listrank_local.c ../sscrap/listrank/listrank_shuffle.c
programs_listrank_faulty_CPPFLAGS = $(AM_CPPFLAGS)
programs_listrank_faulty_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
programs_listrank_endless_SOURCES = programs/listrank_endless.c ../sscrap/listrank/listrank_copy.c \
    ../sscrap/listrank/listrank_tokens.c ../sscrap/listrank/listrank_rulers.c \
    ../sscrap/listrank/listrank_pair.c ../sscrap/listrank/listrank_walk.c
programs_listrank_endless_CPPFLAGS = $(AM_CPPFLAGS)
programs_listrank_endless_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
programs_listrank_walked_SOURCES = programs/listrank_walked.c ../sscrap/listrank/listrank_copy.c \
    ../sscrap/listrank/listrank_tokens.c ../sscrap/listrank/listrank_walk.c
programs_listrank_walked_CPPFLAGS = $(AM_CPPFLAGS)
programs_listrank_walked_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
RANKS_TESTS += programs/listrank_trial.ranks
programs_listrank_trial_ranks_SOURCES = programs/listrank_trial.c
programs_listrank_trial_ranks_CPPFLAGS = $(AM_CPPFLAGS)
programs_listrank_trial_ranks_LDADD = ../sscrap/listrank/liblistrank.la \
    ../sscrap/common/libsscrap.la $(LDADD) -lm
programs_listrank_local_SOURCES = programs/listrank_local.c ../sscrap/listrank/listrank_list.c \
    ../sscrap/listrank/listrank_local.c ../sscrap/listrank/listrank_shuffle.c
programs_listrank_local_CPPFLAGS = $(AM_CPPFLAGS)
programs_listrank_local_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
programs/listrank.log: run-ranks programs/listrank_local$(EXEEXT) \
    programs/listrank_faulty$(EXEEXT) \
    programs/listrank_endless$(EXEEXT) programs/listrank_walked$(EXEEXT)

# cm-matmul, and the same program with products that are wrong on purpose.
check_PROGRAMS += programs/matmul_faulty
dist_check_SCRIPTS += programs/matmul.sh
ANY_TESTS += programs/matmul.sh
programs_matmul_faulty_SOURCES = programs/matmul_faulty.c ../sscrap/matmul/matmul.c \
    ../sscrap/matmul/matmul_run.c ../sscrap/matmul/matmul_verify.c ../src/blas/suited.c
programs_matmul_faulty_CPPFLAGS = $(AM_CPPFLAGS)
programs_matmul_faulty_LDADD = ../sscrap/common/libsscrap.la $(LDADD) -lm
programs/matmul.log: programs/matmul_faulty$(EXEEXT) run-ranks

# cm-bspbench.
dist_check_SCRIPTS += programs/bspbench.sh
ANY_TESTS += programs/bspbench.sh
programs/bspbench.log: run-ranks

# cm-farm, which needs libcrypto.
LONGEST_ANY_TESTS += programs/farm.sh
dist_check_SCRIPTS += programs/farm.sh
programs/farm.log: run-ranks $(farm_programs)
if HAVE_CRYPTO
check_PROGRAMS += programs/farm_dying
farm_programs = programs/farm_dying$(EXEEXT)
endif
# Compiled separately: the compute function of its workers has another name.
programs_farm_dying_SOURCES = programs/farm_dying.c ../farm/farm.c ../farm/farm_branch.c \
    ../farm/farm_check.c ../farm/farm_compare.c ../farm/farm_expected.c ../farm/farm_fit.c \
    ../farm/farm_master.c ../farm/farm_measure.c ../farm/farm_paper.c ../farm/farm_plan.c \
    ../farm/farm_receive.c ../farm/farm_result.c ../farm/farm_run.c ../farm/farm_table.c \
    ../farm/farm_tree.c ../farm/farm_worker.c
programs_farm_dying_CPPFLAGS = $(AM_CPPFLAGS) -I../farm -Dfarm_compute=farm_dying_compute \
    -Dcm_sample_watch_end=farm_dying_watch_end
programs_farm_dying_LDADD = ../farm/libfarm.la $(LDADD)

# cm-nodes: options and one host; then virtual hosts with faults.
ANY_TESTS += programs/nodes.sh programs/nodes_hosts.sh programs/suite_nodes.sh
LONG_TESTS += programs/nodes_random.sh programs/nodes_cores.sh \
    programs/nodes_burn.sh programs/nodes_arrangements.sh
dist_check_SCRIPTS += programs/nodes.sh programs/nodes_hosts.sh programs/nodes_random.sh \
    programs/nodes_burn.sh programs/nodes_cores.sh programs/suite_nodes.sh \
    programs/nodes_arrangements.sh
EXTRA_DIST += programs/nodes_tap.sh
check_PROGRAMS += programs/nodes_fault
programs_nodes_fault_SOURCES = programs/nodes_fault.c
programs_nodes_fault_LDADD =
check_DATA += programs/nodes_clock.so programs/nodes_nan.so
CLEANFILES += programs/nodes_clock.so programs/nodes_nan.so
nodes_object = $(AM_V_CC)$(MKDIR_P) programs && $(CC) $(AM_CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) \
    -shared -fPIC -o $@ $(srcdir)/programs/nodes_fault.c -ldl
programs/nodes_clock.so: programs/nodes_fault.c
	$(nodes_object) -DNODES_FAULT_CLOCK
programs/nodes_nan.so: programs/nodes_fault.c
	$(nodes_object) -DNODES_FAULT_NAN
programs/nodes.log: run-ranks
programs/nodes_hosts.log programs/nodes_random.log programs/nodes_cores.log \
    programs/nodes_burn.log programs/nodes_arrangements.log: \
    programs/nodes_fault$(EXEEXT) programs/nodes_clock.so
