# caption: Half the round trip (of a stream: the time per message) over message size. Bars: interval
# caption: of the median, 95 % or, of fewer than six trials, least to greatest. Orange: fitted
