# SPDX-License-Identifier: BSD-3-Clause
# stream.gp: bandwidth of the four kernels as bars, as in figure 2 of innocente-1999.
#     gnuplot -e "result='r.txt'; figure='x.svg'" stream.gp
# caption: Memory bandwidth by STREAM's four kernels with arrays in huge pages, as in figure 2 of
# caption: innocente-1999. Left: one rank alone. Right: all ranks of a host at once (the first host,
# caption: if there are several).
# caption: Diamonds: STREAM as it is compiled plainly, with the system's pages and ordinary stores:
# caption: the figures to compare with published ones.
# caption: Bars show the fastest pass, as STREAM reports it; whiskers reach down to the median. The
# caption: thin bar beside a whisker is the interval of the median.
# caption: Pale bars: arrays that stay in the cache, for comparison; this is not memory.
# caption: The value of the paper (section 3) is dotted, or written below if it is too low to see.
# caption: Green: a further result (--beside).
name = "stream"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

ranks = int(meta("ranks"))
panels = ranks > 1 ? 2 : 1
theirs = 1e-3 * paper_value("memory_MB_per_s")
array_bytes = real(meta("array_bytes"))
per_cache = either(meta("array_per_cache"), "?")
all_at_once(panel) = panel ? ranks : 1
of(panel, place, stores) = column("ranks_at_once") == all_at_once(panel) && column("host") == 0 \
    && strcol("place") eq place && strcol("stores") eq stores ? 1 : NaN
place_of(kernel) = kernel eq "copy" ? 1 : kernel eq "scale" ? 2 : kernel eq "add" ? 3 : 4
x(kind) = place_of(strcol("kernel")) + 0.27 * (kind - 1)
GB(name) = 1e-3 * column(name)
# Bandwidth at another time than the median, beside the whisker.
at(name) = GB("median_MB_per_s") * column("median_s") / level(name)
plain_rows = system("awk '!/^#/ && $3 == \"plain\"' ".quote(result)." | wc -l") + 0
edge(panel) = (x(strcol("stores") eq "ordinary" ? 0 : 1) + 0.07) \
    * of(panel, "memory", strcol("stores"))
past = system("awk '!/^#/ && $2 == \"non-temporal\"' ".quote(result)." | wc -l") + 0
cached_rows = system("awk '!/^#/ && $3 == \"cache\"' ".quote(result)." | wc -l") + 0
stats result using (1e-3 * column("best_MB_per_s")) nooutput name "S"

bar_title(place, stores) = place eq "cache" ? "in the cache" : stores." stores"
plain_title = "STREAM compiled plainly"
bar_at(place, stores) = x(place eq "cache" ? 2 : stores eq "ordinary" ? 0 : 1)
bar_text(title, kernel) = title."\n".sprintf("%s: %.4g GB/s, median %.4g%s", kernel, \
    GB("best_MB_per_s"), GB("median_MB_per_s"), hover_interval(at("high_s"), at("low_s")))
too_low = theirs > 0.02 * 1.12 * S_max ? "" : sprintf("; innocente-1999: %g GB/s", theirs)
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.24
set label 1 "Memory bandwidth (kernels of STREAM)" at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set label 3 sprintf("arrays of %.0f MB, %s times the last-level cache%s", \
    1e-6 * array_bytes, per_cache, too_low) \
    at screen 0.5, 0.03 center font panel_font
set xrange [0.4:4.6]
set yrange [0:1.12 * S_max]
set xtics ("copy" 1, "scale" 2, "add" 3, "triad" 4) scale 0
eval prefixed_linear("y", 1.12 * S_max, 1e9, "B/s")
set ylabel "bandwidth, bytes as STREAM counts them"
set boxwidth 0.25
set style fill solid 1 noborder
set grid noxtics ytics linestyle 9
do for [panel = 0:panels - 1] {
    set lmargin at screen panel ? 0.6 : 0.115
    set rmargin at screen panels == 1 ? 0.975 : (panel ? 0.975 : 0.48)
    set label 4 (panel ? sprintf("all %d ranks at once", ranks) : "one rank alone") \
        at graph 0.5, 1.05 center font panel_font
    if (panel) { unset key; set ylabel "" } else {
        set key at screen 0.5, 0.185 center top vertical maxrows 5 samplen 1.5 font key_font
    }
    plot result using (x(0) * of(panel, "memory", "ordinary")):(GB("best_MB_per_s")) with boxes \
            linecolor rgb measured title "ordinary stores", \
        result using (past ? x(1) * of(panel, "memory", "non-temporal") : NaN): \
            (GB("best_MB_per_s")) with boxes linecolor rgb mid_blue \
            title past ? "non-temporal stores" : "", \
        result using (cached_rows ? x(2) * of(panel, "cache", "ordinary") : NaN): \
            (GB("best_MB_per_s")) with boxes linecolor rgb pale_blue \
            title cached_rows ? "in the cache" : "", \
        result using (x(strcol("stores") eq "ordinary" ? 0 : 1) \
            * of(panel, "memory", strcol("stores"))):(GB("median_MB_per_s")): \
            (0):(GB("best_MB_per_s") - GB("median_MB_per_s")) with vectors nohead \
            linecolor rgb ink linewidth 2 title "from the median to the fastest pass", \
        result using (edge(panel)):(at("within_high_s")):(0): \
            (at("within_low_s") - at("within_high_s")) @within_bars pale(ink) \
            title within_title, \
        result using (edge(panel)):"median_MB_per_s":(at("high_s")):(at("low_s")) \
            with yerrorbars linecolor rgb ink linewidth 0.8 pointtype -1 \
            title interval_title, \
        result using (disturbed(edge(panel))):(GB("median_MB_per_s")) @open_marks ink \
            title disturbed_title, \
        result using (plain_rows ? x(0) * of(panel, "plain", "ordinary") : NaN): \
            (GB("best_MB_per_s")) with points linecolor rgb orange pointtype mark(4) \
            pointsize 1.3 title plain_rows ? plain_title : "", \
        beside_file using (beside(x(0) * of(panel, "memory", "ordinary"))):(GB("best_MB_per_s")) \
            with points linestyle 5 pointsize 1.2 title beside_title, \
        (theirs > 0.02 * 1.12 * S_max ? theirs : NaN) with lines linestyle 3 \
            title theirs > 0.02 * 1.12 * S_max ? "innocente-1999: about 300 MB/s" : "", \
        for [place in "memory cache"] for [stores in "ordinary non-temporal"] result \
            using (hover_at(bar_at(place, stores) * of(panel, place, stores), \
            GB("best_MB_per_s"))):(hover_y): \
            (bar_text(bar_title(place, stores), strcol("kernel"))) @hover notitle, \
        result using (hover_at(x(0) * of(panel, "plain", "ordinary"), GB("best_MB_per_s"))): \
            (hover_y):(bar_text(plain_title, strcol("kernel"))) @hover notitle
    unset label 1
    unset label 2
    unset label 3
}
unset multiplot
