#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# length.sh: the report of all benchmarks of a quick run on one host is short until something is
# opened, and links open what is folded (page.py: length, folded). Results and figures are made up;
# the figures are as large as real ones.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/browser/browser.inc"
need lacks_browser
need lacks_dummy

top=$srcdir/..
set -- $(sed -n 's/^wide_px = //p; s/^high_px = //p' "$top/suite/look.gp")
ok 'the size of figures' [ $# -eq 2 ]
mkdir "$work/bin"
cat >"$work/bin/gnuplot" <<END
#!/bin/sh
figure=\$(printf '%s' "\$3" | sed "s/.*figure='\([^']*\)'.*/\1/")
echo '<svg width="$1" height="$2" viewBox="0 0 $1 $2" xmlns="http://www.w3.org/2000/svg">
<title>a figure</title>
<desc>Produced by GNUPLOT</desc>
<g><text x="99" y="99">a figure</text></g>
</svg>' >"\$figure"
END
chmod +x "$work/bin/gnuplot"
ok 'results' "$python" "$srcdir/browser/made_up_run.py" "$work/results" \
    "$top/suite/benchmarks.tab" "$PWD/.." || exit 1
drawn() { PATH=$work/bin:$PATH reported "$work/results"; }
ok 'a report' drawn
look "$work/results" report length folded search without_scripts paper
finish
