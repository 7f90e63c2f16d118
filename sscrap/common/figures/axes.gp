# SPDX-License-Identifier: BSD-3-Clause
# axes.gp: shared by the figures of this folder and loaded after clustermark.gp: the axis of cycles
# per item, and a second result of another network or backend.
two = exists("second")
if (!two) { second = result }
set logscale xy
set ylabel "clock cycles per item"
millions(x) = x < 1e6 ? sprintf("%g", x) : x < 1e9 ? sprintf("%.4g million", x * 1e-6) \
    : sprintf("%.4g billion", x * 1e-9)
unset xtics
unset ytics
set xtics nomirror ("1" 1)
set ytics nomirror ("1" 1)
do for [e = -3:12] {
    do for [d in "1 2 5"] { set xtics add (millions(d * 10.0**e) d * 10.0**e) }
    # Cycles differ little from size to size.
    do for [d in "1 1.5 2 2.5 3 4 5 7"] { set ytics add (sprintf("%g", d * 10.0**e) d * 10.0**e) }
}
set yrange [*:*] noextend
set offsets graph 0, graph 0, graph 0.05, graph 0.05
cycles(what) = column("cycles_per_item") * level(what) / column("median_s")
column_of = "/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == key) at = i; next } "
has(file, key, value) = system(sprintf("awk -v key=%s -v value=%.0f ". \
    "'%s$at == value { print 1; exit }' %s", key, value, column_of, quote(file))) eq "1"
values(file, key) = system(sprintf("awk -v key=%s '%s!($at in seen) { seen[$at]; print $at }' %s", \
                                   key, column_of, quote(file)))
# A simulated cluster has the name of its place.
simulated(file) = key_of(file, "transport") eq "simulated by SimGrid"
network(file) = simulated(file) ? "simulated ".key_of(file, "place") : backend(file)
backend(file) = system("sed -n 's/^# comm: //p; s/^# transport: //p' ".quote(file)." | tail -n 1")
key_of(file, key) = system(sprintf("sed -n 's/^# %s: //p' %s | head -n 1", key, quote(file)))
where_of(file) = either(key_of(file, "ranks_per_host"), key_of(file, "host"))
over_of(file) = simulated(file) ? network(file) : either(key_of(file, "transport"), \
    either(key_of(file, "comm_version"), key_of(file, "comm")))
day_of(date) = date[1:10]
said_of(file) = over_of(file).", ".day_of(key_of(file, "date"))
# The subtitle names both results.
if (two) {
    subtitle = where_of(result) eq where_of(second) ? where : where." and the second's hosts"
    subtitle = (strlen(subtitle) < 25 ? subtitle.": " : "").said_of(result)."; ".said_of(second)
}
over(file) = two ? network(file).", " : ""
# A point type for each curve; the one before it is its open form.
filled(k) = int(word("5 7 9 11 13 15", (k - 1) % 6 + 1))
processes(p) = sprintf("%d process%s", p, p == 1 ? "" : "es")
# With one result each curve has a colour as well; with two the colours are theirs.
own_colour(k) = two ? measured : colour(k)
x_unit = meta("item")
y_unit = "cycles"
