# SPDX-License-Identifier: BSD-3-Clause
# look.gp: the colours, marks, dashes and fonts of all figures; no other file names one.
# clustermark.gp loads it.

# Okabe and Ito's colours, which colour-blind readers can tell apart, and tints of them for areas.
blue = "#0072b2"
vermillion = "#d55e00"
green = "#009e73"
purple = "#aa4499"
sky = "#56b4e9"
orange = "#e69f00"
olive = "#6b6a1f"
ink = "#222222"
grey = "#777777"
light_grey = "#999999"
lines_grey = "#d8d8d8"
ground = "#ffffff"
mid_blue = "#5aa6d3"
light_blue = "#9ccbe6"
pale_blue = "#d3e8f4"
mid_orange = "#e0873f"
light_orange = "#f2b98f"
pale_orange = "#fbe9dc"
light_green = "#9fd8c7"
sand = "#e9d8a6"
# From cold to warm, for temperatures.
temperatures = '(0 "#17265f", 1 "#2f74b5", 2 "#e8e2d0", 3 "#e0703a", 4 "#7c1416")'

# Dark is slow.
bandwidths = '(0 "#3f86b8", 0.5 "#9ccbe6", 1 "#eef6fb")'
latencies = '(0 "#fdf1ea", 0.5 "#f2b98f", 1 "#cf6d2c")'

# What the colours mean: measured, fitted to it, printed by a paper, a further result.
measured = blue
fitted = vermillion
# Darker, as letters must be to be read.
fitted_letters = "#a84a00"
papers = "#4d4d4d"
beside_color = green

# Series that stand beside each other differ in colour, mark and dashes; the mark before a filled
# one is its open form.
colours = blue." ".vermillion." ".green." ".purple." ".sky." ".orange." ".ink." ".grey
colour(k) = word(colours, (int(k) - 1) % words(colours) + 1)
marks = "7 5 9 13 11 15"
mark(k) = int(word(marks, (int(k) - 1) % words(marks) + 1))
# 1 is solid; gnuplot counts on from 8 to 1.
dashes_of(k) = (int(k) - 1) % 5 + 1

# A page shows a figure smaller than it is, where it stands beside its numbers and on paper: letters
# are large for its size.
wide_px = 760
high_px = 540
title_font = ",15"
panel_font = ",13"
note_font = ",12"
key_font = ",11.5"
tiny_font = ",11"
svg_font = "sans-serif,13"
png_font = "sans,11"
