# caption: Throughput of the median over message size, both scales logarithmic. Bars: interval of
# caption: the median, 95 % or, of fewer than six trials, least to greatest. Grey: what
