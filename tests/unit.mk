# Unit tests of src/comm/environment.c, src/option, src/measure, src/sample, src/random, src/run.
unit_programs = unit_environment unit_option unit_sample unit_samples unit_nist unit_fit unit_place \
	unit_random
check_PROGRAMS += $(unit_programs)
TESTS += $(unit_programs)
unit_environment_SOURCES = unit_environment.c
unit_option_SOURCES = unit_option.c
unit_sample_SOURCES = unit_sample.c
unit_samples_SOURCES = unit_samples.c
unit_nist_SOURCES = unit_nist.c
unit_fit_SOURCES = unit_fit.c random.h
unit_place_SOURCES = unit_place.c
unit_random_SOURCES = unit_random.c
TESTS += environment.sh
dist_check_SCRIPTS += environment.sh
environment.log: run-ranks
EXTRA_DIST += nist/Lew.dat nist/Lottery.dat nist/Mavro.dat nist/Michelso.dat nist/Norris.dat \
	nist/DanWood.dat nist/Misra1b.dat
