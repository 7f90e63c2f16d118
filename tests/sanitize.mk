# SPDX-License-Identifier: BSD-3-Clause
# What is compiled anew under sanitizers, and the fuzzing harnesses. make fuzz runs those under libFuzzer, for
# FUZZ_SECONDS in all; FUZZ names some of them, CLANG the compiler.
dist_check_SCRIPTS += contract_sanitize.sh thread_sanitize.sh thread_sanitize_long.sh \
    launch_sanitize.sh fuzz.sh
TESTS += contract_sanitize.sh thread_sanitize.sh fuzz.sh
LONG_TESTS += thread_sanitize_long.sh launch_sanitize.sh
EXTRA_DIST += sanitize.inc fuzz/build fuzz/long fuzz/README fuzz/corpus fuzz/driver.c fuzz/fuzz.h \
    fuzz/hosts.c fuzz/pmi_line.c fuzz/pmi_server.c fuzz/proxy.c fuzz/start.c fuzz/text.c fuzz/tied.c \
    fuzz/tied.h fuzz/wire.c fuzz/wire_transport.c fuzz/wire_transport.h
AM_TESTS_ENVIRONMENT += TEST_COMM='$(CM_COMM)' CC='$(CC)' CRYPTO_CFLAGS='$(CRYPTO_CFLAGS)' \
    CRYPTO_LIBS='$(CRYPTO_LIBS)' HWLOC_CFLAGS='$(HWLOC_CFLAGS)' HWLOC_LIBS='$(HWLOC_LIBS)' \
    top_builddir='$(abs_top_builddir)'; \
    export TEST_COMM CC CRYPTO_CFLAGS CRYPTO_LIBS HWLOC_CFLAGS HWLOC_LIBS top_builddir;
contract_sanitize.log thread_sanitize.log: run-ranks
launch_sanitize.log: launch_client$(EXEEXT) hosts_program$(EXEEXT)

FUZZ_SECONDS = 600
fuzz:
	CPPFLAGS='-I$(abs_top_builddir) -I$(abs_top_builddir)/src $(CRYPTO_CFLAGS)' \
	  LIBS='$(CRYPTO_LIBS) -lm' CLANG='$(CLANG)' \
	  $(SHELL) $(srcdir)/fuzz/long fuzz-long.dir $(FUZZ_SECONDS) $(FUZZ)
CLEANFILES += crash-wire crash-start crash-pmi_line crash-pmi_server crash-hosts crash-proxy crash-text
clean-local:
	rm -rf fuzz-long.dir
.PHONY: fuzz
