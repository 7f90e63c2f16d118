# caption: The rate at which equations are solved, over their number. Blue: measured,
# caption: medians; bars: the interval of the median (column interval). Orange, dashed: the
