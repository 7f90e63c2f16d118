# SPDX-License-Identifier: BSD-3-Clause
# What all sources must be like.
TESTS += dead_code.sh
dist_check_SCRIPTS += dead_code.sh
AM_TESTS_ENVIRONMENT += NM='$(NM)'; export NM;
