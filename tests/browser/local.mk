# SPDX-License-Identifier: BSD-3-Clause
# The pages in a real browser, and as HTML.
TESTS += browser/page.sh browser/valid.sh browser/many.sh browser/length.sh browser/history.sh \
	browser/compare.sh
dist_check_SCRIPTS += browser/page.sh browser/valid.sh browser/many.sh browser/length.sh \
	browser/history.sh browser/compare.sh
EXTRA_DIST += browser/browser.inc browser/page.py browser/page.js browser/many_hosts.py \
	browser/made_up_run.py
