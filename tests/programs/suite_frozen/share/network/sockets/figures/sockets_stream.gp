# caption: What the receiver gets through the kernel's sockets, TCP and UDP, over the size of what
# caption: is sent at once. Bars: interval of the median, 95 % or, of fewer than six samples, least
