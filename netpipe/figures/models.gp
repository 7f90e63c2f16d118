# SPDX-License-Identifier: BSD-3-Clause
# models.gp: the models that the figures of netpipe draw: the fitted line (or two lines with a
# crossover, if the result has them) and innocente-1999's two lines. Units: microseconds, MB/s,
# bytes. Load it after mode.gp. If the papers measured something else, their values are NaN and
# nothing is drawn for them.
latency_1 = latency_2 = 0
bandwidth_1 = bandwidth_2 = NaN
from_1 = from_2 = S_min
to_1 = to_2 = S_max
title_1 = title_2 = ""
model_title(latency, bandwidth) = "fit: ".told_as(1e-6 * latency, "s")." + bytes / (". \
    told_as(1e6 * bandwidth, "B/s").")"
if (fit_has("two_lines", "rendezvous_".constant."_us") \
    && fit_has("two_lines", "eager_".constant."_us")) {
    latency_1 = fit_value("two_lines", "eager_".constant."_us")
    bandwidth_1 = fit_value("two_lines", "eager_bandwidth_MB_per_s")
    latency_2 = fit_value("two_lines", "rendezvous_".constant."_us")
    bandwidth_2 = fit_value("two_lines", "rendezvous_bandwidth_MB_per_s")
    to_1 = from_2 = fit_value("two_lines", "split_bytes")
    title_1 = model_title(latency_1, bandwidth_1)
    title_2 = model_title(latency_2, bandwidth_2)
} else { if (fit_has("one_line", constant."_us")) {
    latency_1 = fit_value("one_line", constant."_us")
    bandwidth_1 = fit_value("one_line", "bandwidth_MB_per_s")
    title_1 = model_title(latency_1, bandwidth_1)
} }

their_latency_1 = paper_value("eager_latency_us")
their_bandwidth_1 = paper_value("eager_bandwidth_MB_per_s")
their_latency_2 = paper_value("rendezvous_latency_us")
their_bandwidth_2 = paper_value("rendezvous_bandwidth_MB_per_s")
their_crossover = paper_value("crossover_bytes")
their_first_packet = paper_value("first_packet_latency_us")
their_last = S_max > 2 * their_crossover ? S_max : 2 * their_crossover
# Their times beside ours, where the figure has statistics of these, U, in microseconds.
their_slowest = their_latency_2 + their_last / their_bandwidth_2
papers_far = papers_time && exists("U_min") \
    && is_far(their_latency_1, their_slowest, U_min, U_max)
if (papers_far) { papers_time = 0 }
if (!papers_time) {
    their_latency_1 = their_latency_2 = their_first_packet = NaN
    their_last = S_max
}
their(title) = papers_time ? title : ""
