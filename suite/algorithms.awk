# SPDX-License-Identifier: BSD-3-Clause
# algorithms.awk: CM_ALGORITHM_LIST of src/comm/comm.h for cm-collective's figures and the manual;
# written into the folder new.
/^#define CM_ALGORITHM_LIST\(/ { inside = 1; next }
inside && split($0, field, /[(,)] */) >= 6 {
    name = field[4]
    gsub(/"/, "", name)
    names = names (n ? " " : "") name
    form = name (field[5] == "NOTHING" ? "" : ":@var{" field[5] "}")
    forms = forms (n++ ? ",\n" : "") "@code{" form "}"
}
inside && !/\\$/ { inside = 0 }
END {
    if (!n) { print "manifests: src/comm/comm.h has no CM_ALGORITHM_LIST" > "/dev/stderr"; exit 2 }
    made = "made by suite/manifests from CM_ALGORITHM_LIST of src/comm/comm.h."
    out = new "/network/collective/figures/algorithms.gp"
    print "# SPDX-License-Identifier: BSD-3-Clause\n# algorithms.gp: " made > out
    print "algorithms = \"" names "\"" > out
    out = new "/doc/algorithms.texi"
    print "@c SPDX-License-Identifier: BSD-3-Clause\n@c algorithms.texi: " made > out
    print forms > out
}
