# caption: Time of collective operations, the slowest rank's, median, over the size of message,
# caption: vector or block; a panel an operation, a line an algorithm of the layer (native: the
