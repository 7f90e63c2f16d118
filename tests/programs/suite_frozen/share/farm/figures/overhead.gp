# caption: Overhead of a message: time above that of the largest batch with as many workers,
# caption: over two messages a batch, over the size of a batch; values below zero are the
