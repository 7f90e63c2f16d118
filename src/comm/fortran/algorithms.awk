# SPDX-License-Identifier: BSD-3-Clause
# algorithms.awk: CM_ALGORITHM_LIST of comm.h as Fortran's constants: a number for each kind, and
# the algorithm itself where it takes no parameter.
/^#define CM_ALGORITHM_LIST\(/ { inside = 1; next }
inside && split($0, field, /[(,)] */) >= 5 {
    print "    integer(c_int), parameter, public :: CM_KIND_" field[2] " = " kinds + 0
    if (field[5] == "NOTHING")
        print "    type(cm_algorithm), parameter, public :: CM_" field[2] \
            " = cm_algorithm(CM_KIND_" field[2] ", 0)"
    kinds++
}
inside && !/\\$/ { inside = 0 }
END {
    if (!kinds) { print "algorithms.awk: no CM_ALGORITHM_LIST" >"/dev/stderr"; exit 1 }
    print "    integer(c_int), parameter, public :: CM_KINDS = " kinds
}
