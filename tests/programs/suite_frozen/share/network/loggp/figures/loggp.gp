# caption: Left: half the round trip over message size. Blue: measured, medians with their interval,
# caption: 95 % or, of fewer than six trains, least to greatest; orange: L + o_send + o_receive + (s
