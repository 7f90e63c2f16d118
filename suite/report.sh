# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# report.sh: the part of clustermark that writes the report's page; read by it.

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }

# An SVG file as part of the page: without prolog, its ids made unlike the other figures', named for
# those who do not see it.
inline_svg()   # FILE ID TITLE CAPTION
{
    awk -v id="$2" -v title="$(printf '%s' "$3" | escape)" \
        -v caption="$(printf '%s' "$4" | escape)" -f "$data/suite/svg.awk" "$1"
}

report_figures()
{
    [ -n "$can_draw" ] || return
    for figure in $figures; do
        script=$(figure_script)
        caption=$(sed -n 's/^# caption: //p' "$script" | tr '\n' ' ')
        file=$dir/$bench-$figure.svg
        echo "<figure id=\"$bench-$figure\">"
        if [ -f "$file" ]; then inline_svg "$file" "$bench-$figure" "$heading: $figure" "$caption"
        else echo "<p class=\"note\">gnuplot could not draw this figure.</p>"
        fi
        printf '<figcaption>%s</figcaption>\n</figure>\n' "$(printf '%s' "$caption" | escape)"
    done
}

# A part of the page: PART [VARIABLE=VALUE]... RESULT.
part()
{
    part=$1; shift
    for word; do
        shift
        case $word in
        [a-z]*=*) set -- "$@" -v "$word" ;;
        *) set -- "$@" -f "$data/suite/html.awk" -f "$data/suite/report.awk" "$word" ;;
        esac
    done
    awk -v part="$part" -v bench="$bench" -v version="$version" "$@" </dev/null
}

# Sets result, or problem (failed or skipped) and text.
read_state()
{
    result=$dir/$bench.txt problem='' text=''
    complete "$result" && return
    if [ -f "$dir/$bench.failed" ]; then problem=failed; text=$(cat "$dir/$bench.failed")
    elif [ -f "$dir/$bench.skipped" ]; then problem=skipped; text=$(cat "$dir/$bench.skipped")
    elif [ -f "$result" ]; then
        problem=failed; text='the result has no verdict: the run did not end'
    else problem=skipped; text='not run'
    fi
    result=/dev/null
}

# What papers.awk reads: the results, the figures of the page, and every folder's files of items.
report_plan()
{
    folders=
    while IFS= read -r line <&3; do
        read_fields "$line"
        if complete "$dir/$bench.txt"; then
            printf 'result\t%s\t%s\n' "$bench" "$dir/$bench.txt"
            [ -z "$can_draw" ] || for figure in $figures; do
                [ ! -f "$dir/$bench-$figure.svg" ] || printf 'figure\t%s\n' "$bench-$figure"
            done
        fi
        # A folder's paper.dat is its program's, whichever of the program's runs comes first.
        case $folders: in
        *":$folder:"*) continue ;;
        esac
        folders=$folders:$folder
        [ ! -f "$data/$folder/paper.dat" ] \
            || printf 'items\t%s\t%s\n' "${program#cm-}" "$data/$folder/paper.dat"
    done 3<<EOF
$lines
EOF
    for folder in $(table | cut -d '|' -f 1 | awk '!seen[$0]++'); do
        for file in "$data/$folder"/paper_*.dat; do
            [ -f "$file" ] || continue
            bench=${file##*/paper_}
            printf 'items\t%s\t%s\n' "${bench%.dat}" "$file"
        done
    done
}
papers()   # PART
{
    printf '%s\n' "$plan" | awk -v part="$1" -v bench="$bench" -v papers="$data/suite/papers.tab" \
        -f "$data/suite/html.awk" -f "$data/suite/answers.awk" -f "$data/suite/papers.awk"
}

# What a program's metrics mean, lines as cm_metric says; nothing where the program is not there.
metrics_of()   # PROGRAM
{
    path=$(program_path "$folder" "$1")
    [ ! -x "$path" ] || "$path" --print-metrics 2>/dev/null </dev/null
}

report_summary()
{
    part summary_open /dev/null
    while IFS= read -r line <&3; do
        read_fields "$line"
        read_state
        export REPORT_TEXT="$text"
        REPORT_METRICS=$(metrics_of "$program")
        export REPORT_METRICS
        part summary program="$program${named:+ ${bench#"${program#cm-}"-}}" problem="$problem" \
            "$result"
    done 3<<EOF
$lines
EOF
    part summary_close gnuplot="$can_draw" /dev/null
}

report_benchmarks()
{
    while IFS= read -r line <&3; do
        read_fields "$line"
        read_state
        export REPORT_TEXT="$text"
        part bench_open heading="$heading" question="$question" problem="$problem" "$result"
        if [ -z "$problem" ]; then
            report_figures
            part bench_answers "$result"
            papers section
        fi
        json=
        [ -f "$dir/$bench.json" ] && json=$bench.json
        part bench_rest problem="$problem" json="$json" "$result"
    done 3<<EOF
$lines
EOF
}

report_body()   # writes the page
{
    export REPORT_STYLE="$data/suite/style.css"
    bench=
    part head run="$dir/run.txt" "$first"
    lines=$(table)
    report_summary
    plan=$(report_plan)
    report_benchmarks
    papers index
    part machine "$first"
    part foot /dev/null
}

command_report()
{
    [ $# -eq 1 ] || usage_error "report: needs one DIR"
    need_results report "$1"
    can_draw=
    if command -v gnuplot >/dev/null 2>&1; then
        can_draw=yes
        draw_all svg || say "report: gnuplot could not draw all figures"
    else
        say "report: gnuplot is not there: the page has tables and no figures"
    fi
    first=/dev/null
    for file in "$dir"/*.txt; do
        case $file in */run.txt) continue ;; esac
        complete "$file" && first=$file && break
    done
    report_body >"$dir/report.html.part" || die 3 "report: cannot write $dir/report.html"
    mv -- "$dir/report.html.part" "$dir/report.html" || exit 3
    echo "$dir/report.html"
}
