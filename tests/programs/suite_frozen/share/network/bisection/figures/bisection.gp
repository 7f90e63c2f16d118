# caption: Half the round trip of N/2 pairs that talk at once, average over the pairs, short
# caption: messages left and long ones right, both scales linear, as innocente-1999's figures 9 to
