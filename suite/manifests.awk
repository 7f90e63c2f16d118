# SPDX-License-Identifier: BSD-3-Clause
# manifests.awk: reads all manifests, writes what follows from them into the folder new.

function complain(text) {
    print "manifests: " text > "/dev/stderr"
    bad = 1
}
function where() { return FILENAME ":" FNR ": " }
function exists(file, line, found) {
    found = (getline line < file) >= 0
    close(file)
    return found
}
function set(name, value) {
    if (!(name in known))
        complain(where() "unknown key '" name "'; there are: " of_program " " of_run)
    if (name == "run") { runs[folder]++; in_run = 1 }
    else if (!in_run && known[name] == "run") complain(where() name ": a line 'run:' comes first")
    at = folder SUBSEP (known[name] == "run" ? runs[folder] : 0) SUBSEP name
    if (at in said) complain(where() name ": said twice")
    if (value == "") complain(where() name ": it has no value")
    if (index(value, "|")) complain(where() name ": it has a |, which separates fields")
    said[at] = value
}
function get(folder, run, name) { return said[folder, run, name] }

BEGIN {
    of_program = "program order group needs about chapter also"
    of_run = "run ranks shapes size quick standard full seconds figures headline further rows" \
             " curves points" \
             " pair scale matrix heading question shows"
    n = split(of_program, list, " ")
    for (k = 1; k <= n; k++) known[list[k]] = "program"
    n = split(of_run, list, " ")
    for (k = 1; k <= n; k++) known[list[k]] = "run"
}
FNR == 1 {
    folder = FILENAME
    sub(/\/manifest$/, "", folder)
    folders[++n_folders] = folder
    runs[folder] = in_run = 0
    last = ""
}
/^#/ || /^[ \t]*$/ { last = ""; next }
/^[ \t]/ {
    if (last == "") complain(where() "nothing that this line continues")
    sub(/^[ \t]+/, " ")
    said[last] = said[last] $0
    next
}
/^[a-z]+:/ {
    name = $1
    sub(/:$/, "", name)
    value = $0
    sub(/^[a-z]+:[ \t]*/, "", value)
    set(name, value)
    last = at
    next
}
{ complain(where() "not a line 'KEY: VALUE'") }

# ---- Whether it can be true ----------------------------------------------------------------------

# The first @node and the title of a chapter.
function read_chapter(folder, file, line) {
    file = "doc/" get(folder, 0, "chapter")
    while ((getline line < file) > 0) {
        if (line ~ /^@node / && !(folder in node)) node[folder] = substr(line, 7)
        if (line ~ /^@chapter / && !(folder in title)) title[folder] = substr(line, 10)
    }
    close(file)
    if (!(folder in node) || !(folder in title))
        complain(folder "/manifest: chapter: " file " has no @node or no @chapter")
}
function check(folder, k, r, name, n, list) {
    n = split("program order group about chapter", list, " ")
    for (k = 1; k <= n; k++)
        if (!((folder SUBSEP 0 SUBSEP list[k]) in said))
            complain(folder "/manifest: it lacks " list[k])
    if (get(folder, 0, "program") !~ /^cm-[a-z]+$/)
        complain(folder "/manifest: program: " get(folder, 0, "program") " is not cm- and a word")
    if (get(folder, 0, "order") !~ /^[0-9]+$/)
        complain(folder "/manifest: order: " get(folder, 0, "order") " is not a whole number")
    if (get(folder, 0, "group") !~ /^(node|network|collectives|programs)$/)
        complain(folder "/manifest: group: " get(folder, 0, "group") \
                 " is not node, network, collectives or programs")
    if (get(folder, 0, "also") !~ /^(cm-[a-z]+: .+)?$/)
        complain(folder "/manifest: also: " get(folder, 0, "also") " is not 'cm-WORD: ABOUT'")
    if (!runs[folder]) complain(folder "/manifest: it lacks a run")
    n = split("ranks quick standard full seconds rows heading question shows", list, " ")
    for (r = 1; r <= runs[folder]; r++) {
        name = get(folder, r, "run")
        if (name != get(folder, 0, "program") && index(name, get(folder, 0, "program") "/") != 1)
            complain(folder "/manifest: run: " name \
                     " does not begin with " get(folder, 0, "program"))
        if (name in run_of) complain(folder "/manifest: run: " name " is also in " run_of[name])
        run_of[name] = folder "/manifest"
        for (k = 1; k <= n; k++)
            if (!((folder SUBSEP r SUBSEP list[k]) in said))
                complain(folder "/manifest: the run " name " lacks " list[k])
        if (get(folder, r, "ranks") !~ \
            /^([1-9][0-9]*|all|even)( processes)?( rails)?( least=[1-9][0-9]*)?$/)
            complain(folder "/manifest: ranks: " get(folder, r, "ranks") \
                     " is not a number, all or even, with processes, rails and least=N behind it")
        check_shapes(folder, r)
        check_size(folder, r)
        if (get(folder, r, "seconds") !~ /^[0-9.]+ [0-9.]+ [0-9.]+$/)
            complain(folder "/manifest: seconds: " get(folder, r, "seconds") \
                     " is not three numbers, for quick, standard and full")
        if (((folder SUBSEP r SUBSEP "curves") in said) && get(folder, r, "curves") \
            !~ /^[a-zA-Z0-9_]+ [a-zA-Z0-9_]+( [a-zA-Z0-9_]+)?( [a-zA-Z0-9_]+=[-a-zA-Z0-9_.]+)*$/)
            complain(folder "/manifest: curves: " get(folder, r, "curves") \
                     " is not Y X, the columns, with PANEL and COLUMN=VALUE behind them")
        if (((folder SUBSEP r SUBSEP "points") in said) && (get(folder, r, "curves") == "" \
            || get(folder, r, "points") !~ /^[0-9]+( [0-9]+)*$/))
            complain(folder "/manifest: points: " get(folder, r, "points") \
                     " is not values of the column X of a line curves")
        if (get(folder, r, "scale") !~ /^[a-z_]*$/)
            complain(folder "/manifest: scale: " get(folder, r, "scale") " is not one column")
        if (((folder SUBSEP r SUBSEP "matrix") in said) && get(folder, r, "matrix") \
            !~ /^[a-z0-9_]+ [a-z0-9_:]+ [a-zA-Z0-9_]+ [-a-z0-9_]+( [a-z0-9_]+=[-a-zA-Z0-9_.]+)*$/)
            complain(folder "/manifest: matrix: " get(folder, r, "matrix") \
                     " is not ROW COLUMN VALUE SIZE, columns, with COLUMN=VALUE behind them")
        check_figures(folder, get(folder, r, "figures") " " get(folder, r, "pair") \
                      (get(folder, r, "scale") != "" ? " scale" : ""))
    }
    check_headline(folder)
    check_further(folder)
    read_chapter(folder)
}
# A number of ranks has its shape; for all there may be several.
function check_shapes(folder, r, shapes, ranks, k, n, list) {
    shapes = get(folder, r, "shapes")
    ranks = get(folder, r, "ranks")
    sub(/ .*/, "", ranks)
    if (shapes == "") return
    n = split(shapes, list, " ")
    for (k = 1; k <= n; k++)
        if (!(ranks == 1 ? list[k] == "core" : ranks ~ /^[0-9]+$/ ? list[k] ~ /^pairs?$/ : \
              list[k] ~ /^(node|hosts|whole)$/))
            complain(folder "/manifest: shapes: " list[k] " is not core for one rank, pair for" \
                     " two, pairs for two on each host, node, hosts or whole for all")
}
function check_size(folder, r, size, list, n, k) {
    size = get(folder, r, "size")
    if (size == "") return
    if (size !~ /^[a-z]+( [0-9.]+)+$/ || split(size, list, " ") != 7)
        complain(folder "/manifest: size: " size \
                 " is not NAME QUICK STANDARD FULL ROOT BYTES POWER")
    n = get(folder, r, "quick") get(folder, r, "standard") get(folder, r, "full")
    if (!index(n, "%" list[1]))
        complain(folder "/manifest: size: no options have %" list[1])
}
function check_headline(folder, r, n, name) {
    for (r = 1; r <= runs[folder]; r++) {
        name = get(folder, r, "headline")
        n += name != ""
        if (name !~ /^[A-Za-z0-9_]*$/)
            complain(folder "/manifest: headline: " name " is not one metric")
    }
    if (runs[folder] && n != 1)
        complain(folder "/manifest: one of its runs has a headline, not " n + 0)
}
# The second family belongs to the run of the headline.
function check_further(folder, r, further, n, k, list) {
    for (r = 1; r <= runs[folder]; r++) {
        further = get(folder, r, "further")
        if (further != "" && get(folder, r, "headline") == "")
            complain(folder "/manifest: further: its run has no headline")
        n = split(further, list, " ")
        for (k = 1; k <= n; k++)
            if (list[k] !~ /^([A-Za-z0-9_]+|(middle|sum):[A-Za-z0-9_]+:[a-z0-9_]+)$/)
                complain(folder "/manifest: further: " list[k] \
                         " is not a metric, middle:COLUMN:SIZE or sum:COLUMN:SIZE")
    }
}
function check_figures(folder, figures, n, k, list, group) {
    group = folder
    sub(/\/[^\/]*$/, "", group)
    n = split(figures, list, " ")
    for (k = 1; k <= n; k++)
        if (!exists(folder "/figures/" list[k] ".gp") && \
            !exists(group "/common/figures/" list[k] ".gp"))
            complain(folder "/manifest: figures: there is no " folder "/figures/" list[k] ".gp")
}
function sort_folders(k, j, moved) {
    for (k = 2; k <= n_folders; k++) {
        moved = folders[k]
        for (j = k - 1; j > 0 && get(folders[j], 0, "order") + 0 > get(moved, 0, "order") + 0; j--)
            folders[j + 1] = folders[j]
        folders[j + 1] = moved
    }
    for (k = 2; k <= n_folders; k++)
        if (get(folders[k], 0, "order") == get(folders[k - 1], 0, "order"))
            complain(folders[k] "/manifest: order: " get(folders[k], 0, "order") " is that of " \
                     folders[k - 1])
}

# ---- What follows --------------------------------------------------------------------------------

function begin(file, comment) {
    out = new "/" file
    print comment " SPDX-License-Identifier: BSD-3-Clause" > out
    print comment " " file ": made by suite/manifests from the manifests of the benchmarks." > out
}
function list_of(variable, prefix, suffix, k) {
    printf "%s =", variable > out
    for (k = 1; k <= n_folders; k++) printf " \\\n\t%s%s%s", prefix, folders[k], suffix > out
    print "" > out
}
function write_build(k) {
    begin("build-aux/benchmarks.m4", "dnl")
    for (k = 1; k <= n_folders; k++) print "AC_CONFIG_FILES([" folders[k] "/Makefile])" > out
    begin("build-aux/benchmarks.mk", "#")
    list_of("benchmark_folders", "", "")
    list_of("benchmark_manifests", "$(top_srcdir)/", "/manifest")
    printf "benchmark_names =" > out
    for (k = 1; k <= n_folders; k++) {
        printf " \\\n\t%s", get(folders[k], 0, "program") > out
        if (also(folders[k]) != "") printf " \\\n\t%s", also(folders[k]) > out
    }
    print "" > out
}
# The program of the folder that has no run of its own; "": none.
function also(folder, said) {
    said = get(folder, 0, "also")
    sub(/: .*/, "", said)
    return said
}
# Pages and completions are printed by the programs, which some builds do not have.
function write_page(folder, program, needs) {
    print "all_benchmark_pages += " program ".1" > out
    print "benchmark_programs += ../" folder "/" program "$(EXEEXT)" > out
    if (needs != "") print "if HAVE_" needs > out
    print "benchmark_pages += " program ".1" > out
    print "benchmark_completions += completions/" program > out
    if (needs != "") print "endif" > out
    print program ".1 completions/" program ": ../" folder "/" program "$(EXEEXT)" > out
}
function write_pages(k, needs) {
    begin("build-aux/pages.mk", "#")
    print "benchmark_pages =\nbenchmark_completions =\nbenchmark_chapters =" > out
    print "benchmark_programs =\nall_benchmark_pages =" > out
    for (k = 1; k <= n_folders; k++) {
        needs = get(folders[k], 0, "needs")
        print "\nbenchmark_chapters += " get(folders[k], 0, "chapter") > out
        write_page(folders[k], get(folders[k], 0, "program"), needs)
        if (also(folders[k]) != "") write_page(folders[k], also(folders[k]), needs)
    }
}
function write_manual(k, about) {
    begin("doc/benchmarks-menu.texi", "@c")
    for (k = 1; k <= n_folders; k++)
        printf "* %-18s%s\n", node[folders[k]] "::", title[folders[k]] > out
    begin("doc/benchmarks-chapters.texi", "@c")
    for (k = 1; k <= n_folders; k++) print "@include " get(folders[k], 0, "chapter") > out
    begin("doc/benchmarks-programs.texi", "@c")
    for (k = 1; k <= n_folders; k++) {
        write_program(get(folders[k], 0, "program"), get(folders[k], 0, "about"))
        if (also(folders[k]) == "") continue
        about = get(folders[k], 0, "also")
        sub(/^[^ ]* */, "", about)
        write_program(also(folders[k]), about)
    }
}
function write_program(name, about) {
    gsub(/[@{}]/, "@&", about)
    print "@item @command{" name "} @tab " about > out
}
# The programs in the directory of info. A second program has a node of its own.
function write_directory(k, text) {
    begin("doc/benchmarks-directory.texi", "@c")
    for (k = 1; k <= n_folders; k++) {
        text = title[folders[k]]
        sub(/^[^ ]* */, "", text)
        write_entry(get(folders[k], 0, "program"), node[folders[k]], text)
        if (also(folders[k]) == "") continue
        text = get(folders[k], 0, "also")
        gsub(/^[^ ]* *|,.*/, "", text)
        write_entry(also(folders[k]), substr(also(folders[k]), 4), text)
    }
}
function write_entry(name, node, text) {
    printf "%-36s  %s%s.\n", "* " name ": (clustermark)" node ".", toupper(substr(text, 1, 1)),
        substr(text, 2) > out
}
function shapes_of(f, r, shapes) {
    shapes = get(f, r, "shapes")
    gsub(/ /, ",", shapes)
    return shapes
}
# A line a run. Options "-" are those of a profile that does not have the run.
function write_runs(k, r, f, n, list, line, i, value) {
    begin("suite/benchmarks.tab", "#")
    n = split(of_run " group", list, " ")
    for (k = 1; k <= n_folders; k++) {
        f = folders[k]
        for (r = 1; r <= runs[f]; r++) {
            line = "folder=" f
            for (i = 1; i <= n; i++) {
                value = list[i] == "group" ? get(f, 0, "group") \
                    : list[i] == "shapes" ? shapes_of(f, r) : get(f, r, list[i])
                if (value != "" && value != "-") line = line "|" list[i] "=" value
            }
            print line > out
        }
    }
}
END {
    if (!n_folders) complain("there is no manifest here")
    for (k = 1; k <= n_folders; k++) check(folders[k])
    sort_folders()
    if (bad) exit 2
    write_build()
    write_pages()
    write_manual()
    write_directory()
    write_runs()
}
