# SPDX-License-Identifier: BSD-3-Clause
# make report, make figures: run the suite on this machine over the configured backend. Results go
# to report/ of the build folder. Everything is measured anew each time.
# REPORT_RUN=--profile=standard takes longer.
REPORT_RUN = --profile=quick --fresh
REPORT_DIR = report

if HAVE_JANSSON
report: all
	@suite/clustermark run $(REPORT_RUN) $(REPORT_DIR); status=$$?; \
	 test $$status -lt 2 || \
	   echo "report: not everything ran (status $$status); the page says what" >&2; \
	 suite/clustermark report $(REPORT_DIR)

figures: all
	@suite/clustermark run $(REPORT_RUN) $(REPORT_DIR) && suite/clustermark figures $(REPORT_DIR)
else
report figures:
	@echo "$@: clustermark, which makes it, was not built: install libjansson-dev" \
	  "(jansson-devel) and configure again" >&2; exit 1
endif

clean-report:
	rm -rf $(REPORT_DIR)

# make clean keeps results.
distclean-local: clean-report
.PHONY: report figures clean-report
