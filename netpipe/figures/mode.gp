# SPDX-License-Identifier: BSD-3-Clause
# mode.gp: labels for the times of a result's mode, and whether the papers measured the same.
mode = either(meta("mode"), "ping-pong")
pairs = int(either(meta("pairs"), "0"))
streamed = mode eq "stream"
exchanged = mode eq "both" || mode eq "overlap"
window = meta("window")
constant = streamed ? "gap" : (exchanged ? "exchange" : "latency")
time_label = (streamed ? "time per message, back to back" : \
              (exchanged ? "time of an exchange" : "half the round trip")). \
             (pairs ? ", slowest pair" : "")
throughput_label = "throughput".(exchanged ? " of both directions" : ""). \
                   (pairs ? sprintf(" of %d pairs", pairs) : "")
described = (streamed ? ": stream, rank ".meta("direction") : \
            (exchanged ? ": both ways at once" : (mode eq "turns" ? ": single turns" : ""))). \
            (strlen(window) ? ", ".window." in flight" : ""). \
            (meta("window_buffers")[1:3] eq "one" ? ", one buffer" : ""). \
            (pairs ? sprintf(", %d pairs", pairs) : "")
papers_time = !streamed && !exchanged && !pairs
papers_throughput = !exchanged && !pairs
