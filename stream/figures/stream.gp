# SPDX-License-Identifier: BSD-3-Clause
# stream.gp: bandwidth of the four kernels as bars, as in figure 2 of innocente-1999.
#     gnuplot -e "result='r.txt'; figure='x.svg'" stream.gp
# caption: Memory bandwidth by STREAM's four kernels with arrays in huge pages, as in figure 2 of
# caption: innocente-1999. Left: one rank alone. Right: all ranks of a host at once (the first host,
# caption: if there are several). Bars show the fastest pass, as STREAM reports it; whiskers reach
# caption: down to the median. The thin bar beside a whisker is the interval of the median.
# caption [plainly]: Orange: STREAM as it is compiled plainly, with the system's pages and ordinary
# caption [plainly]: stores: the figures to compare with published ones.
# caption [in the cache]: What arrays in the cache have is written below: this is not memory.
# caption: The value of the paper (section 3) is dotted, or written below if it is too low to see.
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
# The bars of a kernel, from left to right: STREAM compiled plainly, ordinary stores, others.
plain_rows = system("awk '!/^#/ && $3 == \"plain\"' ".quote(result)." | wc -l") + 0
past = system("awk '!/^#/ && $2 == \"non-temporal\"' ".quote(result)." | wc -l") + 0
bars = 1 + (plain_rows > 0) + (past > 0)
x(kind) = place_of(strcol("kernel")) + 0.28 * (kind + (plain_rows > 0) - (bars - 1) / 2.0)
GB(name) = 1e-3 * column(name)
# Bandwidth at another time than the median, beside the whisker.
at(name) = GB("median_MB_per_s") * column("median_s") / level(name)
edge(panel) = (x(strcol("stores") eq "ordinary" ? 0 : 1) + 0.07) \
    * of(panel, "memory", strcol("stores"))
# Caches are several times as fast: beside their bars those of memory would be low.
stats result using (strcol("place") eq "cache" ? NaN : GB("best_MB_per_s")) nooutput name "S"
cached(panel) = system("awk '!/^#/ && $3 == \"cache\" && $".number_of("ranks_at_once")." == ". \
    sprintf("%d", all_at_once(panel))." && $".number_of("host")." == 0 { v = $". \
    number_of("best_MB_per_s")."; if (!n++ || v < low) low = v; if (v > high) high = v } ". \
    "END { if (n) print low, high }' ".quote(result))
cached_of(panel) = told_as(1e6 * real(word(cached(panel), 1)), "B/s")." to ". \
    told_as(1e6 * real(word(cached(panel), 2)), "B/s")
cached_text = words(cached(0)) < 2 ? "" : "in the cache: ".cached_of(0). \
    (panels > 1 && words(cached(1)) == 2 ? ", all ranks ".cached_of(1) : "")

bar_title(stores) = stores." stores"
plain_title = "STREAM compiled plainly"
bar_at(stores) = x(stores eq "ordinary" ? 0 : 1)
bar_text(title, kernel) = title."\n".sprintf("%s: %s; median %s", kernel, \
    said(GB("best_MB_per_s"), NaN, NaN, "GB/s"), \
    said(GB("median_MB_per_s"), at("high_s"), at("low_s"), "GB/s"))
too_low = theirs > 0.02 * 1.12 * S_max ? "" : sprintf("; innocente-1999: %g GB/s", theirs)
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.26
set label 1 "Memory bandwidth (kernels of STREAM)" at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set label 3 sprintf("arrays of %.0f MB, of all ranks %s times the last-level caches%s\n%s", \
    1e-6 * array_bytes, per_cache, too_low, cached_text) \
    at screen 0.5, 0.05 center font note_font
set xrange [0.4:4.6]
set yrange [0:1.12 * S_max]
set xtics ("copy" 1, "scale" 2, "add" 3, "triad" 4) scale 0
eval prefixed_linear("y", 1.12 * S_max, 1e9, "B/s")
set ylabel "bandwidth, bytes as STREAM counts them" offset 1.2
set boxwidth 0.25
set style fill solid 1 noborder
set grid noxtics ytics linestyle 9
do for [panel = 0:panels - 1] {
    set lmargin at screen panel ? 0.62 : 0.15
    set rmargin at screen panels == 1 ? 0.975 : (panel ? 0.975 : 0.495)
    set label 4 (panel ? sprintf("all %d ranks at once", ranks) : "one rank alone") \
        at graph 0.5, 1.05 center font panel_font
    if (panel) { unset key; set ylabel "" } else {
        set key at screen 0.5, 0.21 center top vertical maxrows 5 samplen 1.5 font key_font
    }
    plot result using (x(0) * of(panel, "memory", "ordinary")):(GB("best_MB_per_s")) with boxes \
            linecolor rgb measured title "ordinary stores", \
        result using (past ? x(1) * of(panel, "memory", "non-temporal") : NaN): \
            (GB("best_MB_per_s")) with boxes linecolor rgb mid_blue \
            title past ? "non-temporal stores" : "", \
        result using (plain_rows ? x(-1) * of(panel, "plain", "ordinary") : NaN): \
            (GB("best_MB_per_s")) with boxes linecolor rgb light_orange \
            title plain_rows ? plain_title : "", \
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
        beside_file using (beside(x(0) * of(panel, "memory", "ordinary"))):(GB("best_MB_per_s")) \
            with points linestyle 5 pointsize 1.2 title beside_title, \
        (theirs > 0.02 * 1.12 * S_max ? theirs : NaN) with lines linestyle 3 \
            title theirs > 0.02 * 1.12 * S_max ? "innocente-1999: about 300 MB/s" : "", \
        for [stores in "ordinary non-temporal"] result \
            using (hover_at(bar_at(stores) * of(panel, "memory", stores), \
            GB("best_MB_per_s"))):(hover_y): \
            (bar_text(bar_title(stores), strcol("kernel"))) @hover notitle, \
        result using (hover_at(x(-1) * of(panel, "plain", "ordinary"), GB("best_MB_per_s"))): \
            (hover_y):(bar_text(plain_title, strcol("kernel"))) @hover notitle
    unset label 1
    unset label 2
    unset label 3
}
unset multiplot
