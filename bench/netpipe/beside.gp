# SPDX-License-Identifier: BSD-3-Clause
# beside.gp: cm-netpipe's and NetPIPE's throughput over message size.
#     gnuplot -e "table='t.txt'; theirs='NPtcp'; figure='f.svg'" beside.gp
set terminal svg size 900, 600 font "sans-serif,13" background rgb "white"
set output figure
set logscale xy
set format x "10^{%L}"
set format y "10^{%L}"
set grid linecolor rgb "#d8d8d8"
set border 3
set tics nomirror
set key left top reverse Left
set title "Throughput over message size, one buffer for both directions"
set xlabel "message size (bytes)"
set ylabel "throughput (Mbit/s; 10^6 bit/s)"
plot table using "bytes":"theirs_Mbit_s" with linespoints linecolor rgb "#555555" \
        dashtype (5, 4) pointtype 8 title theirs, \
    table using "bytes":"ours_Mbit_s" with linespoints linecolor rgb "#1b5e9e" \
        pointtype 7 pointsize 0.5 title "cm-netpipe"
