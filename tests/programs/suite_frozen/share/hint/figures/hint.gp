# caption: Quality improvements per second over the time (left) and over the memory (right) that an
# caption: answer takes, all scales logarithmic, as halstead-1999's figure 1. Vertical lines: this
