# SPDX-License-Identifier: BSD-3-Clause
# heat-frames.gp: draws all frames that cm-heat --frames FOLDER wrote as pictures (PNG), and an
# animation of them.
#     gnuplot -e "frames='FOLDER'" heat-frames.gp
# writes FOLDER/frame-ITERATION.png and FOLDER/plate.gif. Also:
# pixels=480 (height), delay=8 (hundredths of a second).
if (!exists("frames")) {
    print "usage: gnuplot -e \"frames='FOLDER'\" ".ARG0
    exit status 2
}
if (!exists("pixels")) { pixels = 480 }
width = int(1.15 * pixels)
if (!exists("delay")) { delay = 8 }
quote_(s) = strstrt(s, "'") ? s[1:strstrt(s, "'") - 1]."'\\''".quote_(s[strstrt(s, "'") + 1:*]) : s
quote(s) = "'".quote_(s)."'"
# The frames' iterations; the folder's own name may have blanks.
list = system("cd ".quote(frames)." && ls | sed -n 's/^frame-\\([0-9]*\\)\\.dat$/\\1/p'")
if (words(list) == 0) {
    print "heat-frames: no frames in ".frames
    exit status 2
}
low = real(system("awk '!/^#/ { print $1; exit }' ".quote(frames)."/frames.txt"))
high = real(system("awk '!/^#/ { print $2; exit }' ".quote(frames)."/frames.txt"))
if (high <= low) { high = low + 1 }

load (strstrt(ARG0, "/") ? ARG0[1:strlen(ARG0) - strlen("heat-frames.gp")] : "./"). \
    "../../suite/look.gp"
set palette defined @temperatures
set cbrange [low:high]
set cblabel "temperature"
set size ratio -1
set xlabel "column"
set ylabel "row"
set yrange [*:*] reverse
set autoscale xfix
set autoscale yfix
set tics out nomirror
set key off
# gnuplot would read a number that begins with 0 as octal.
strip(s) = strlen(s) > 1 && s[1:1] eq "0" ? strip(s[2:*]) : s
iteration(k) = strip(word(list, k))
data(k) = frames."/frame-".word(list, k).".dat"

do for [k = 1:words(list)] {
    set terminal pngcairo size width, pixels font png_font background rgb ground
    set output frames."/frame-".word(list, k).".png"
    set title "iteration ".iteration(k)
    plot data(k) binary matrix using 1:2:3 with image
}
set terminal gif animate delay delay loop 0 size width, pixels font png_font background rgb ground
set output frames."/plate.gif"
do for [k = 1:words(list)] {
    set title "iteration ".iteration(k)
    plot data(k) binary matrix using 1:2:3 with image
}
unset output
