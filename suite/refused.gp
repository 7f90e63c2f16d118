# SPDX-License-Identifier: BSD-3-Clause
# refused.gp: the words why there is no figure; the report has them instead of one.
unset multiplot
set output
if (suffix eq ".png") {
    set terminal pngcairo size 900, 60 font png_font background rgb ground
} else {
    set terminal svg size wide_px, 60 font svg_font background rgb ground name name
}
set output figure
unset border
unset tics
unset key
unset grid
unset title
unset xlabel
unset ylabel
unset y2label
unset y2tics
unset logscale
set margins 0, 0, 0, 0
set label 1 why at screen 0.5, 0.5 center font title_font noenhanced
set xrange [0:1]
set yrange [0:1]
plot NaN notitle
