# SPDX-License-Identifier: BSD-3-Clause
# refused.gp: the figure that says why there is none.
unset border
unset tics
unset key
unset grid
unset xlabel
unset ylabel
unset logscale
set label 1 why at screen 0.5, 0.5 center font ",14"
set xrange [0:1]
set yrange [0:1]
plot NaN notitle
