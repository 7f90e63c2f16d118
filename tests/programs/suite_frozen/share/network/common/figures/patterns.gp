# caption: Time per iteration and throughput over message size. Blue: measured, medians with their
# caption: interval, 95 % or, of fewer than six trials, least to greatest; words (crosses) and
# caption: blocks (dots). Grey, open: the numbers that warschko-1995 (section 6.1) prints for
