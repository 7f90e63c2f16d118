# SPDX-License-Identifier: BSD-3-Clause
# Single functions and files of src/ and of the cm-* programs, without a job.

# src/base/environment.c, src/option, src/sample, src/random, src/run; src/measure, on NIST's data.
unit_programs = unit/environment unit/option unit/option_command unit/sample unit/samples \
    unit/nist unit/fit unit/fit_seeds unit/place unit/random unit/coverage unit/states \
    unit/rank_test unit/split_test unit/states_few unit/states_pair unit/histogram unit/cpu \
    unit/period unit/quantity unit/steps unit/repeated unit/distance
check_PROGRAMS += $(unit_programs)
TESTS += $(unit_programs)
unit_environment_SOURCES = unit/environment.c
unit_option_SOURCES = unit/option.c unit/option_caught.h
unit_option_command_SOURCES = unit/option_command.c unit/option_caught.h
unit_sample_SOURCES = unit/sample.c
unit_samples_SOURCES = unit/samples.c
unit_nist_SOURCES = unit/nist.c
unit_fit_SOURCES = unit/fit.c
unit_fit_seeds_SOURCES = unit/fit_seeds.c
unit_place_SOURCES = unit/place.c
unit_random_SOURCES = unit/random.c
unit_coverage_SOURCES = unit/coverage.c
unit_states_SOURCES = unit/states.c
unit_rank_test_SOURCES = unit/rank_test.c
unit_split_test_SOURCES = unit/split_test.c
unit_states_few_SOURCES = unit/states_few.c
unit_states_pair_SOURCES = unit/states_pair.c
unit_histogram_SOURCES = unit/histogram.c
unit_cpu_SOURCES = unit/cpu.c
unit_cpu_LDFLAGS = -pthread
unit_period_SOURCES = unit/period.c
unit_quantity_SOURCES = unit/quantity.c
unit_steps_SOURCES = unit/steps.c
unit_repeated_SOURCES = unit/repeated.c
unit_distance_SOURCES = unit/distance.c
EXTRA_DIST += nist/Lew.dat nist/Lottery.dat nist/Mavro.dat nist/Michelso.dat nist/Norris.dat \
    nist/DanWood.dat nist/Misra1b.dat

# src/result and src/machine.
check_PROGRAMS += unit/machine unit/counters unit/energy unit/read unit/result unit/result_hosts \
    unit/machine_false_cpu unit/result_program
TESTS += unit/machine unit/counters unit/energy unit/read unit/result unit/result_hosts
ONCE_TESTS += unit/machine_cpu.sh unit/result_files.sh unit/result_schema.sh
dist_check_SCRIPTS += unit/machine_cpu.sh unit/result_files.sh unit/result_schema.sh
unit_machine_SOURCES = unit/machine.c
unit_counters_SOURCES = unit/counters.c
unit_energy_SOURCES = unit/energy.c
unit_machine_false_cpu_SOURCES = unit/machine_false_cpu.c
unit_read_SOURCES = unit/read.c
unit_result_SOURCES = unit/result.c
unit_result_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
unit_result_LDADD = $(LDADD) $(JANSSON_LIBS)
unit_result_hosts_SOURCES = unit/result_hosts.c
unit_result_hosts_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
unit_result_hosts_LDADD = $(LDADD) $(JANSSON_LIBS)
unit_result_program_SOURCES = unit/result_program.c

# src/launch: frames and host lists.
check_PROGRAMS += unit/frame unit/hosts unit/allocations
TESTS += unit/frame unit/hosts unit/allocations
unit_frame_SOURCES = unit/frame.c ../src/launch/frame.c
unit_frame_CPPFLAGS = $(AM_CPPFLAGS)
unit_hosts_SOURCES = unit/hosts.c ../src/launch/host_list.c ../src/launch/host_range.c \
    ../src/launch/host_text.c
unit_hosts_CPPFLAGS = $(AM_CPPFLAGS)
unit_allocations_SOURCES = unit/allocations.c ../src/launch/host_list.c \
    ../src/launch/host_range.c ../src/launch/host_text.c ../src/launch/host_allocation.c
unit_allocations_CPPFLAGS = $(AM_CPPFLAGS)

# src/comm: operators, and collective algorithms over simulated ranks (threads). unit/schedule
# brings its own backend (ranks.c), so nothing of the configured one is linked.
check_PROGRAMS += unit/operator unit/schedule
TESTS += unit/operator unit/schedule
unit_operator_SOURCES = unit/operator.c
unit_schedule_SOURCES = unit/schedule.c unit/ranks.c unit/ranks.h unit/collective_checks.c \
    unit/collective_checks.h
unit_schedule_LDFLAGS = -pthread
LONG_TESTS += unit/schedule_more.sh
dist_check_SCRIPTS += unit/schedule_more.sh
unit/schedule_more.log: unit/schedule$(EXEEXT)

# Tables of measured choices of collective algorithms.
check_PROGRAMS += unit/tuning
TESTS += unit/tuning
unit_tuning_SOURCES = unit/tuning.c ../network/collective/collective_tuning.c
unit_tuning_CPPFLAGS = $(AM_CPPFLAGS)
unit_tuning_LDADD = ../src/libcmpairs.la $(LDADD) -lm

# Matching of messages and receives, of which the engine's queues are all.
check_PROGRAMS += unit/match
TESTS += unit/match
unit_match_SOURCES = unit/match.c ../src/comm/engine/match.c ../src/comm/engine/bins.c
unit_match_CPPFLAGS = $(AM_CPPFLAGS)

# How much of a long message goes ahead over TCP.
check_PROGRAMS += unit/flight
TESTS += unit/flight
unit_flight_SOURCES = unit/flight.c ../src/comm/engine/tcp/tcp_flight.c
unit_flight_CPPFLAGS = $(AM_CPPFLAGS)

# Connections over TCP that are made again, and how long they may be silent.
check_PROGRAMS += unit/attempt
TESTS += unit/attempt
unit_attempt_SOURCES = unit/attempt.c ../src/comm/engine/tcp/tcp_attempt.c \
    ../src/comm/engine/tcp/tcp_lane.c
unit_attempt_CPPFLAGS = $(AM_CPPFLAGS)

# The dummy backend's costs and answers, through the measuring code.
if CM_COMM_DUMMY
check_PROGRAMS += unit/dummy_fit
TESTS += unit/dummy_fit
endif

# The kernels of src/memory.
check_PROGRAMS += unit/stream
TESTS += unit/stream

# The arrays of cm-stream.
check_PROGRAMS += unit/stream_arrays
TESTS += unit/stream_arrays
unit_stream_arrays_SOURCES = unit/stream_arrays.c ../stream/stream_chase.c \
    ../stream/stream_pages.c ../stream/stream_plain.c ../stream/stream_size.c
unit_stream_arrays_CPPFLAGS = $(AM_CPPFLAGS)
unit_stream_arrays_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mmap -Wl,--wrap=cm_world \
    -Wl,--wrap=cm_rank -Wl,--wrap=cm_allreduce -Wl,--wrap=cm_run_ranks_on_computer \
    -Wl,--wrap=cm_machine_memory_share_bytes -Wl,--wrap=cm_machine_last_caches_bytes \
    -Wl,--wrap=cm_machine_last_cache_bytes

# Parts of cm-netpipe and of the programs of network/.
check_PROGRAMS += unit/netpipe unit/loggp unit/linkmap unit/sockets unit/congestion \
    unit/congestion_place
TESTS += unit/netpipe unit/loggp unit/linkmap unit/sockets unit/congestion unit/congestion_place
unit_netpipe_LDADD = ../src/libcmpairs.la $(LDADD)
unit_loggp_LDADD = ../src/libcmpairs.la $(LDADD)
unit_linkmap_SOURCES = unit/linkmap.c ../network/linkmap/linkmap_boxes.c \
    ../network/linkmap/linkmap_judge.c ../network/linkmap/linkmap_map.c \
    ../network/linkmap/linkmap_rank.c ../network/linkmap/linkmap_rounds.c
unit_sockets_SOURCES = unit/sockets.c ../network/sockets/sockets_histogram.c \
    ../network/sockets/sockets_pattern.c ../network/sockets/sockets_plan.c \
    ../network/sockets/sockets_result_metrics.c ../network/sockets/sockets_sequence.c
# They have objects of their own. Those of ../network would be compiled by two Makefiles under one
# name, and only the one that compiled last would know the dependencies.
unit_linkmap_CPPFLAGS = $(AM_CPPFLAGS)
unit_sockets_CPPFLAGS = $(AM_CPPFLAGS)
unit_congestion_SOURCES = unit/congestion.c ../network/congestion/congestion_estimate.c
unit_congestion_CPPFLAGS = $(AM_CPPFLAGS)
unit_congestion_place_SOURCES = unit/congestion_place.c ../network/congestion/congestion_place.c
unit_congestion_place_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_world=fake_world -Dcm_rank=fake_rank \
    -Dcm_size=fake_size -Dcm_hosts_of=fake_hosts_of -Dcm_split=fake_split

# What cm-noise makes of its quanta.
check_PROGRAMS += unit/noise
TESTS += unit/noise
unit_noise_SOURCES = unit/noise.c ../noise/noise_core.c ../noise/noise_kernel.c \
    ../noise/noise_model.c ../noise/noise_work.c
unit_noise_CPPFLAGS = $(AM_CPPFLAGS)
check_PROGRAMS += unit/noise_period
TESTS += unit/noise_period
unit_noise_period_SOURCES = unit/noise_period.c ../noise/noise_core.c
unit_noise_period_CPPFLAGS = $(AM_CPPFLAGS)

# HINT's kernels, also with vectors that are shorter or longer than those of this processor.
check_PROGRAMS += unit/hint unit/hint_short unit/hint_long
TESTS += unit/hint unit/hint_short unit/hint_long
unit_hint_SOURCES = unit/hint.c
unit_hint_LDADD = ../hint/libhint.la $(LDADD) -lm
hint_of_other_vectors = unit/hint.c ../hint/hint_curve.c ../hint/hint_double.c \
    ../hint/hint_float.c ../hint/hint_grid.c ../hint/hint_int32.c ../hint/hint_int64.c \
    ../hint/hint_original.c
unit_hint_short_SOURCES = $(hint_of_other_vectors)
unit_hint_short_CPPFLAGS = $(AM_CPPFLAGS) -DCM_SETS_ALONE -DHINT_VECTOR_BYTES=16
unit_hint_long_SOURCES = $(hint_of_other_vectors)
unit_hint_long_CPPFLAGS = $(AM_CPPFLAGS) -DCM_SETS_ALONE -DHINT_VECTOR_BYTES=64

# The kernels of all instruction sets.
check_PROGRAMS += unit/sets
TESTS += unit/sets
unit_sets_SOURCES = unit/sets.c
unit_sets_LDADD = ../hint/libhint.la $(LDADD)
if CM_SET_V4
check_PROGRAMS += unit/sets_false_cpu
endif
unit_sets_false_cpu_SOURCES = unit/sets_false_cpu.c

# The local sort, which programs/sort_retry.ranks and cm-sort use.
check_PROGRAMS += unit/sort_spread
TESTS += unit/sort_spread
unit_sort_spread_SOURCES = unit/sort_spread.c
unit_sort_spread_LDADD = $(sort_library)
if HAVE_HIGHWAY
check_PROGRAMS += unit/sort_part
TESTS += unit/sort_part
endif
unit_sort_part_SOURCES = unit/sort_part.cc
unit_sort_part_CPPFLAGS = $(AM_CPPFLAGS) $(HIGHWAY_CFLAGS)
unit_sort_part_LDADD = ../sscrap/sort/libsortvector.la $(sort_library) $(HIGHWAY_LIBS)

# The answers to the papers' items, which clustermark report reads.
check_PROGRAMS += unit/expression
TESTS += unit/expression
unit_expression_SOURCES = unit/expression.c ../suite/papers/answer.c \
    ../suite/papers/expression.c ../suite/papers/expression_value.c ../suite/common/memory.c \
    ../suite/results/results.c ../suite/common/words.c
unit_expression_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/suite -I$(top_builddir)/suite

# The first screen of the report.
check_PROGRAMS += unit/first
TESTS += unit/first
unit_first_SOURCES = unit/first.c ../suite/papers/answer.c ../suite/papers/expression.c \
    ../suite/papers/expression_value.c ../suite/report/tile_bound.c ../suite/report/tile_busy.c \
    ../suite/report/tile_export.c \
    ../suite/report/tile_kind.c ../suite/report/tile_light.c ../suite/report/tile_link.c \
    ../suite/report/tile_odd.c ../suite/report/tile_sentence.c ../suite/report/tiles.c \
    ../suite/report/tile_words.c \
    ../suite/common/html.c ../suite/common/unit.c ../suite/common/lines.c \
    ../suite/common/memory.c ../suite/common/index.c ../suite/papers/needs.c \
    ../suite/report/reference.c ../suite/results/hosts_named.c \
    ../suite/results/results.c ../suite/common/say.c ../suite/common/words.c
nodist_unit_first_SOURCES = ../suite/pages.c
unit_first_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/suite -I$(top_builddir)/suite
unit_first_LDADD = $(LDADD) -lm

# What several launches say together.
check_PROGRAMS += unit/combine unit/together
TESTS += unit/combine unit/together
unit_combine_SOURCES = unit/combine.c ../suite/results/combine.c ../suite/results/took.c \
    ../suite/results/combine_findings.c ../suite/results/combine_rows.c ../suite/common/index.c \
    ../suite/common/memory.c ../suite/results/distances.c ../suite/results/hosts_named.c \
    ../suite/results/over.c ../suite/results/together.c ../suite/results/together_loss.c \
    ../suite/results/together_records.c \
    ../suite/results/together_pairs.c ../suite/results/together_tell.c ../suite/common/say.c \
    ../suite/common/words.c
unit_together_SOURCES = unit/together.c ../suite/results/combine.c ../suite/results/took.c \
    ../suite/results/combine_findings.c ../suite/results/combine_rows.c ../suite/common/index.c \
    ../suite/common/memory.c ../suite/results/differs.c ../suite/results/distances.c \
    ../suite/results/hosts_named.c \
    ../suite/results/over.c ../suite/results/together.c ../suite/results/together_loss.c \
    ../suite/results/together_records.c \
    ../suite/results/together_pairs.c ../suite/results/together_tell.c ../suite/common/say.c \
    ../suite/common/words.c
unit_together_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/suite
unit_together_LDADD = $(LDADD) -lm
unit_combine_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/suite
unit_combine_LDADD = $(LDADD) -lm

# Where a new result is worse than a history.
check_PROGRAMS += unit/bound
TESTS += unit/bound
unit_bound_SOURCES = unit/bound.c ../suite/fleet/bound.c ../suite/common/memory.c \
    ../suite/common/say.c
unit_bound_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/suite
unit_bound_LDADD = $(LDADD) -lm

# Names of hosts, as the report writes them.
check_PROGRAMS += unit/host_names
TESTS += unit/host_names
unit_host_names_SOURCES = unit/host_names.c ../suite/results/host_names.c \
    ../suite/common/memory.c
unit_host_names_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/suite
unit_host_names_LDADD = $(top_builddir)/src/liblaunch.la $(LDADD)

# cm-linpack's matrices.
if HAVE_BLAS
check_PROGRAMS += unit/blas_busy unit/blas_low unit/linpack
TESTS += unit/blas_busy unit/blas_low unit/linpack
unit_blas_busy_LDADD = $(top_builddir)/src/libcmblas.la $(LDADD) $(BLAS_LIBS) -lm -lpthread
unit_blas_low_LDADD = $(top_builddir)/src/libcmblas.la $(LDADD) $(BLAS_LIBS) -lm
unit_linpack_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=linpack_turns_s -Wl,--wrap=cm_world \
    -Wl,--wrap=cm_size -Wl,--wrap=cm_rank -Wl,--wrap=cm_allreduce \
    -Wl,--wrap=cm_run_ranks_on_computer -Wl,--wrap=cm_machine_memory_share_bytes
unit_linpack_LDADD = ../linpack/liblinpack.la $(LDADD) $(BLAS_LIBS) $(FCLIBS) -lm
endif

# Proofs of ranks, by libcrypto.
if HAVE_CRYPTO
check_PROGRAMS += unit/auth
TESTS += unit/auth
endif
unit_auth_SOURCES = unit/auth.c ../src/comm/engine/auth.c
unit_auth_CPPFLAGS = $(AM_CPPFLAGS) $(CRYPTO_CFLAGS)
unit_auth_LDADD = $(LDADD) $(CRYPTO_LIBS)

# What cm-farm computes, which needs libcrypto.
if HAVE_CRYPTO
check_PROGRAMS += unit/farm unit/farm_table
TESTS += unit/farm unit/farm_table
endif
unit_farm_SOURCES = unit/farm.c ../farm/farm_plan.c ../farm/farm_paper.c ../farm/farm_tree.c
unit_farm_CPPFLAGS = $(AM_CPPFLAGS) -I../farm
unit_farm_LDADD = ../farm/libfarm.la $(LDADD)
unit_farm_table_SOURCES = unit/farm_table.c ../farm/farm_fit.c ../farm/farm_paper.c \
    ../farm/farm_plan.c ../farm/farm_table.c ../farm/farm_tree.c
unit_farm_table_CPPFLAGS = $(AM_CPPFLAGS) -I../farm
unit_farm_table_LDADD = $(LDADD)

# cm-nodes: its model.
check_PROGRAMS += unit/nodes
TESTS += unit/nodes
unit_nodes_SOURCES = unit/nodes.c ../nodes/nodes_analysis.c ../nodes/nodes_candidates.c \
    ../nodes/nodes_findings.c ../nodes/nodes_fit.c ../nodes/nodes_groups.c ../nodes/nodes_judge.c \
    ../nodes/nodes_links.c ../nodes/nodes_noise.c ../nodes/nodes_power.c ../nodes/nodes_rounds.c
unit_nodes_CPPFLAGS = $(AM_CPPFLAGS)
unit_nodes_LDADD = $(LDADD) -lm

# Who got slower in its burn-in, and how hot it was.
check_PROGRAMS += unit/drift
TESTS += unit/drift
unit_drift_SOURCES = unit/drift.c ../nodes/nodes_drift.c ../nodes/nodes_fit.c \
    ../nodes/nodes_noise.c ../nodes/nodes_power.c
unit_drift_CPPFLAGS = $(AM_CPPFLAGS)
unit_drift_LDADD = $(LDADD) -lm

# How long a host's ranks took, whether or not they ran at once.
check_PROGRAMS += unit/stream_span
TESTS += unit/stream_span
unit_stream_span_SOURCES = unit/stream_span.c ../stream/stream_span.c
unit_stream_span_CPPFLAGS = $(AM_CPPFLAGS)
unit_stream_span_LDADD = $(LDADD) -lm

# Which cores load from which memory.
check_PROGRAMS += unit/matrix
TESTS += unit/matrix
unit_matrix_SOURCES = unit/matrix.c ../stream/stream_matrix_plan.c
unit_matrix_CPPFLAGS = $(AM_CPPFLAGS)

# Teams of cm-heat's verification.
check_PROGRAMS += unit/heat
TESTS += unit/heat
unit_heat_SOURCES = unit/heat.c ../heat/heat_blocks.c
unit_heat_CPPFLAGS = $(AM_CPPFLAGS)

# Which method cm-listrank takes.
check_PROGRAMS += unit/listrank_method
TESTS += unit/listrank_method
unit_listrank_method_LDADD = ../sscrap/listrank/liblistrank.la ../sscrap/common/libsscrap.la \
    $(LDADD) -lm
