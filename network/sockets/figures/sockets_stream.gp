# SPDX-License-Identifier: BSD-3-Clause
# sockets_stream.gp: bandwidth of TCP and UDP over message size; as innocente-1999, figure 3.
#     gnuplot -e "result='r.txt'; figure='x.svg'" sockets_stream.gp
# caption: Rate received through the kernel's sockets, TCP and UDP, over the size of a message or
# caption: datagram. Bars: interval of the median, 95 %, or with fewer than six samples their range.
# caption: Violet, right scale: the fraction of the sent datagrams that was lost. Without --rate the
# caption: sender sends as fast as possible, and the loss shows how much faster that is than
# caption: receiving. Grey, open: the values of innocente-1999 (section 4) for TCP and UDP over Fast
# caption: Ethernet.
name = "sockets_stream"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/clustermark.gp"
rows_of(test) = system("grep -v '^#' ".quote(result)." | awk '$1 == \"".test."\"' | grep -c .") + 0
if (drawable && rows_of("tcp-stream") + rows_of("udp-stream") == 0) {
    why = "Not drawn: the result has no streams (--test)."
    drawable = 0
}
if (!drawable) { load refused; exit }

subtitle = where.", ".meta("family")." over ".word(meta("interface_of_rank_0"), 1).", ".meta("date")
set title "Bandwidth of sockets over message size\n{/*0.75 ".escape(subtitle)."}"
set logscale xy
set xlabel "size of a message or datagram"
eval prefixed_axis("x", 1, "B")
set ylabel "received"
eval prefixed_axis("y", 1e6, "B/s")
set y2label "lost of the sent datagrams (%)"
set y2range [-4:104]
set y2tics 20
set rmargin 9
sweeps = int(either(meta("sweeps"), "1"))
loss_color = purple
udp_color = green
is_stream(test) = test eq "tcp-stream" || test eq "udp-stream"
stats result using (is_stream(strcol("test")) ? column("size_bytes") : NaN):"MB_per_s" \
    nooutput name "S"
left = S_min_x < S_max_x ? S_min_x : S_min_x / 2.0
right = S_min_x < S_max_x ? S_max_x : S_max_x * 2.0
set xrange [left / 1.15:right * 1.15]

is(t, i) = strcol("test") eq t && int(column("sweep")) == i
tcp(i, nodelay) = is("tcp-stream", i) && strcol("nodelay") eq nodelay ? column("size_bytes") : NaN
udp(i) = is("udp-stream", i) ? column("size_bytes") : NaN
has_tcp(nodelay) = system("grep -v '^#' ".quote(result)." | awk '$1 == \"tcp-stream\" && " \
                         ."$4 == \"".nodelay."\"' | grep -c .") + 0
rate = paper_value("tcp_MB_per_s")
udp_rate = paper_value("udp_MB_per_s")
test_title(test) = test eq "udp-stream" ? "UDP, median" \
    : strcol("nodelay") eq "on" ? "TCP with TCP\\_NODELAY, median" : "TCP, median"
y_unit = "MB/s"
least = rate < udp_rate ? rate : udp_rate
set yrange [(S_min_y < least ? S_min_y : least) / 1.6:*]
first(i, text) = i == 1 ? text : ""
tcp_all(i) = is("tcp-stream", i) ? column("size_bytes") : NaN
low = "within_low_MB_per_s"
high = "within_high_MB_per_s"
plot for [i = 1:sweeps] result using (tcp_all(i)):(level(low)):(0):(level(high) - level(low)) \
        @within_bars pale(measured) title first(i, within_title), \
    for [i = 1:sweeps] result using (udp(i)):(level(low)):(0):(level(high) - level(low)) \
        @within_bars pale(udp_color) notitle, \
    for [i = 1:sweeps] result using (tcp(i, "off")):"MB_per_s":"low_MB_per_s":"high_MB_per_s" \
        with yerrorbars linestyle 4 title first(i, interval_title), \
    for [i = 1:sweeps] result using (tcp(i, "off")):"MB_per_s" with linespoints linestyle 1 \
        title has_tcp("off") ? first(i, "TCP, median") : "", \
    for [i = 1:sweeps] result using (tcp(i, "on")):"MB_per_s":"low_MB_per_s":"high_MB_per_s" \
        with yerrorbars linestyle 4 notitle, \
    for [i = 1:sweeps] result using (tcp(i, "on")):"MB_per_s" with linespoints linestyle 1 \
        dashtype (4, 3) pointtype 5 pointsize 0.5 \
        title has_tcp("on") ? first(i, "TCP with TCP\\_NODELAY, median") : "", \
    for [i = 1:sweeps] result using (udp(i)):"MB_per_s":"low_MB_per_s":"high_MB_per_s" \
        with yerrorbars linestyle 4 linecolor rgb udp_color notitle, \
    for [i = 1:sweeps] result using (udp(i)):"MB_per_s" with linespoints linestyle 1 \
        dashtype (8, 3) pointtype 9 pointsize 0.6 linecolor rgb udp_color \
        title rows_of("udp-stream") ? first(i, "UDP, median") : "", \
    for [i = 1:sweeps] result using (disturbed(tcp_all(i))):"MB_per_s" @open_marks measured \
        title first(i, disturbed_title), \
    for [i = 1:sweeps] result using (disturbed(udp(i))):"MB_per_s" @open_marks udp_color \
        notitle, \
    for [test in "tcp-stream udp-stream"] result using (hover_at(strcol("test") eq test \
        ? column("size_bytes") : NaN, column("MB_per_s"))):(hover_y):(hover_text(test_title(test), \
        column("low_MB_per_s"), column("high_MB_per_s"))) @hover notitle, \
    for [test in "tcp-stream udp-stream"] beside_file using (beside(strcol("test") eq test ? \
        column("size_bytes") : NaN)):"MB_per_s" @beside_look \
        pointtype (test eq "tcp-stream" ? 2 : 4) \
        title test eq "tcp-stream" ? beside_title : "", \
    for [i = 1:sweeps] result using (udp(i)):(100 * column("lost") / column("sent")) axes x1y2 \
        with points pointtype 13 pointsize 0.9 linecolor rgb loss_color \
        title rows_of("udp-stream") ? first(i, "UDP, lost (right scale)") : "", \
    udp_rate with linespoints linestyle 3 pointinterval 33 \
        title sprintf("innocente-1999, 4: UDP about %g MB/s", udp_rate), \
    rate with linespoints linestyle 3 pointinterval 40 pointtype 4 \
        title sprintf("innocente-1999, 4: TCP about %g MB/s", rate)
