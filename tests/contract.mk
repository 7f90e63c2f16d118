# The contract of comm.h, a program a group of calls; written against comm.h alone, for every backend.
RANKS_TESTS += contract_life.ranks contract_p2p.ranks contract_requests.ranks contract_probe.ranks \
    contract_groups.ranks
