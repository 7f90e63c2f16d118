nobase_pkginclude_HEADERS += measure/clock.h measure/samples.h measure/states.h measure/fit.h \
	measure/period.h measure/quantity.h
libclustermark_la_SOURCES += measure/clock.h measure/samples.h measure/states.h measure/fit.h \
	measure/cpu.h measure/histogram.h measure/period.h measure/least_squares.h measure/order.h \
	measure/lone.h measure/outliers.h measure/period_fold.h measure/rank_test.h \
	measure/repeated.h measure/split_test.h measure/steps.h measure/steps_internal.h \
	measure/distance.h \
	measure/states_few.h measure/states_pair.h measure/protocols.h \
	measure/clock.c measure/samples.c measure/order.c measure/median_interval.c \
	measure/states.c measure/stop_rule.c measure/summary.c measure/least_squares.c measure/fit_line.c \
	measure/fit_latency_bandwidth.c measure/broken_line.c measure/row_noise.c \
	measure/fit_protocols.c measure/fit_loggp.c \
	measure/quantity.c measure/fit_bsp.c measure/fit_speed_up.c \
	measure/rank_test.c measure/rank_visible.c measure/split_test.c measure/states_few.c \
	measure/states_pair.c measure/holm.c measure/student.c \
	measure/cpu.c measure/histogram.c measure/spectrum.c measure/period.c \
	measure/period_fold.c measure/outliers.c measure/lone.c measure/repeated.c \
	measure/steps.c measure/steps_statistic.c \
	measure/steps_visible.c measure/distance.c
