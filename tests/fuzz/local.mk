# SPDX-License-Identifier: BSD-3-Clause
# The fuzzing harnesses. make fuzz runs them under libFuzzer, for FUZZ_SECONDS in all; FUZZ names
# some of them, CLANG the compiler.
dist_check_SCRIPTS += fuzz/fuzz.sh
LONG_TESTS += fuzz/fuzz.sh
EXTRA_DIST += fuzz/build fuzz/long fuzz/README fuzz/corpus fuzz/driver.c fuzz/fuzz.h fuzz/hosts.c \
    fuzz/hpl.c fuzz/market.c fuzz/pmi_line.c fuzz/pmi2_message.c fuzz/pmi_server.c fuzz/proxy.c \
    fuzz/record.c \
    fuzz/ring.c fuzz/start.c fuzz/step.c fuzz/text.c fuzz/tied.c fuzz/tied.h fuzz/wire.c \
    fuzz/wire_transport.c fuzz/wire_transport.h

FUZZ_SECONDS = 600
fuzz:
	CPPFLAGS='-I$(abs_top_builddir) -I$(abs_top_builddir)/src $(CRYPTO_CFLAGS) $(JANSSON_CFLAGS)' \
	  LIBS='$(CRYPTO_LIBS) $(JANSSON_LIBS) -lm' CLANG='$(CLANG)' \
	  $(SHELL) $(srcdir)/fuzz/long fuzz-long.dir $(FUZZ_SECONDS) $(FUZZ)
CLEANFILES += crash-wire crash-start crash-pmi_line crash-pmi_server crash-pmi2_message \
    crash-hosts crash-proxy crash-step crash-text crash-record crash-ring crash-hpl crash-market
clean-local: clean-simulated
	rm -rf fuzz-long.dir
.PHONY: fuzz
