# caption: NetPIPE's signature: throughput over the time of a message. The curve rises from the
# caption: latency at its left end; the longer it stays low, the larger a message must be to use the
