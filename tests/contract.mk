# SPDX-License-Identifier: BSD-3-Clause
# The contract of comm.h, a program a group of calls; written against comm.h alone, for every
# backend.
RANKS_TESTS += contract_life.ranks contract_p2p.ranks contract_requests.ranks \
    contract_probe.ranks contract_groups.ranks contract_collectives.ranks \
    contract_reductions.ranks contract_overlap.ranks contract_coalesce.ranks
LONG_RANKS_TESTS += contract_large.ranks
check_PROGRAMS += contract_wrong contract_failure contract_survival contract_farm
dist_check_SCRIPTS += contract_wrong.sh contract_failure.sh contract_valgrind.sh contract_rails.sh \
    contract_rails_long.sh
TESTS += contract_wrong.sh contract_failure.sh contract_rails.sh
LONG_TESTS += contract_valgrind.sh contract_rails_long.sh
EXTRA_DIST += contract_algorithms.h contract_failure.h
contract_wrong.log: run-ranks contract_wrong$(EXEEXT) contract_life.ranks$(EXEEXT)
contract_failure.log: run-ranks contract_failure$(EXEEXT) contract_survival$(EXEEXT) \
    contract_farm$(EXEEXT)
contract_rails.log contract_rails_long.log: run-ranks contract_failure$(EXEEXT) contract_life.ranks$(EXEEXT) \
    contract_p2p.ranks$(EXEEXT) contract_requests.ranks$(EXEEXT) contract_probe.ranks$(EXEEXT) \
    contract_overlap.ranks$(EXEEXT)
contract_rails_long.log: contract_groups.ranks$(EXEEXT) contract_collectives.ranks$(EXEEXT) \
    contract_reductions.ranks$(EXEEXT) contract_large.ranks$(EXEEXT)
# The sampler on several ranks.
RANKS_TESTS += sample.ranks
