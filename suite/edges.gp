# SPDX-License-Identifier: BSD-3-Clause
# edges.gp: what a fixed range of y leaves out is a mark at its edge, and the key counts it.
# clustermark.gp loads it.
#
# An open triangle points to where the value is, and in a page says the value. Of two series one has
# small triangles (pointsize 0.6), so that both are seen at the same x. Count before a range is set:
#     edge_low = -1
#     edge_high = 1.2
#     stats FILE using (count_beyond(x, y)) nooutput name "E"
#     set yrange [edge_low:edge_high]
#     plot ... FILE using (below(x, y)):(edge_bottom(0)) @below_marks measured notitle, \
#         FILE using (above(x, y)):(edge_top(0)) @above_marks measured notitle, \
#         @nowhere @below_marks papers title told_beyond(points_below, "below"), \
#         @nowhere @above_marks papers title told_beyond(points_above, "above")
# Within one file several y are counted as count_beyond(x, y) + count_beyond(x, other).

# Without edges nothing is beyond them.
edge_low = -1e300
edge_high = 1e300
points_below = 0
points_above = 0
count_beyond(x, y) = x != x ? 0 : y < edge_low ? (points_below = points_below + 1, 0) \
    : y > edge_high ? (points_above = points_above + 1, 0) : 0
below(x, y) = y < edge_low ? x : NaN
above(x, y) = y > edge_high ? x : NaN
# A little inside, where the axis does not hide the mark.
edge_bottom(unused) = edge_low + 0.015 * (edge_high - edge_low)
edge_top(unused) = edge_high - 0.015 * (edge_high - edge_low)
within_edges(y) = y < edge_low ? edge_bottom(0) : y > edge_high ? edge_top(0) : y
told_beyond(n, where_) = n == 0 ? "" : sprintf("%d point%s %s", n, n == 1 ? "" : "s", where_)
below_marks = 'with points pointtype 10 linewidth 1 linecolor rgb'
above_marks = 'with points pointtype 8 linewidth 1 linecolor rgb'
