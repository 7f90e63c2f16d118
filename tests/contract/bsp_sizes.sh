#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsp_sizes.sh: the calls for messages take pointers to int and to size_t, in C and in C++, without
# a warning; pointers to other types do not compile. Textbook programs compile without a warning.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
include="-I$srcdir/../src/bsp -I$srcdir/../src -I$srcdir"
strict='-Wall -Wextra -Werror'

# compile TYPE STATEMENT COMPILER...: with a and b of that type.
compile()
{
    type=$1 statement=$2; shift 2
    cat >"$work/t.$suffix" <<END
#include "bsp.h"
void test(void);
void test(void)
{
    $type a = 0, b = 0;
    int tag = 0;
    $statement;

    (void)a, (void)b, (void)tag;
}
END
    # shellcheck disable=SC2086
    "$@" $include -c "$work/t.$suffix" -o "$work/t.o" >"$work/said" 2>&1
}
takes() { compile "$@" || { show "$work/t.$suffix" "$work/said"; false; }; }
refuses()
{
    compile "$@" || return 0
    show "$work/t.$suffix"
    return 1
}

# Every call with sizes of the type TYPE.
all='bsp_set_tagsize(&a); bsp_get_tag(&a, &tag); bsp_get_tag(&a, NULL); bsp_qsize(&a, &b);
    bsp_qsize(&a, NULL); bsp_qsize(NULL, &b); bsp_qsize(&a, 0);
    if (tag) bsp_qsize(&a, &b); else bsp_get_tag(&b, &tag);
    while (bsp_get_tag(&a, &tag), tag) tag--'
functions='void (*q)(int *, int *) = bsp_qsize; void (*g)(int *, void *) = &bsp_get_tag;
    void (*s)(int *) = bsp_set_tagsize; s(&a); g(&a, &tag); q(&a, &b); (bsp_qsize)(&a, NULL)'
mixed='unsigned int u = 0; int n = 0; bsp_qsize(&u, &b); bsp_qsize(&u, NULL); bsp_qsize(&n, &b)'

# language NAME COMPILER...
language()
{
    language=$1; shift
    compile int '' "$@" || { skip "$language" 'the compiler does not know it'; return; }
    for size in int size_t bsp_size_t; do
        # shellcheck disable=SC2086
        ok "$language: $size" takes $size "$all" "$@" $strict
    done
    # shellcheck disable=SC2086
    ok "$language: the functions" takes int "$functions" "$@" $strict
    # shellcheck disable=SC2086
    ok "$language: an unsigned int, an int and a size_t" takes size_t "$mixed" "$@" $strict
    for size in long 'const int' 'unsigned int'; do
        for call in 'bsp_set_tagsize(&a)' 'bsp_get_tag(&a, &tag)' 'bsp_qsize(NULL, &a)' \
            'bsp_qsize(&a, NULL)'; do
            case $size:$call in
            unsigned*:*NULL\)) ;;
            unsigned*)
                [ "$narrow" ] || ok "$language: no $size in $call" refuses "$size" "$call" "$@" ;;
            *) ok "$language: no $size in $call" refuses "$size" "$call" "$@" ;;
            esac
        done
    done
}

suffix=c
# CC may be words. On a narrow machine size_t may be an unsigned int.
narrow=
compile size_t 'char wide[sizeof a > sizeof tag ? 1 : -1]; (void)wide' $CC || narrow=yes
for standard in c99 c11 c17; do language "$standard" $CC -std=$standard; done

# Programs as in textbooks compile without a warning, whatever the language standard.
quietly() { "$@" >"$work/said" 2>&1 && ! [ -s "$work/said" ] || { show "$work/said"; false; }; }
for program in textbook textbook_lu textbook_parts textbook_size few part; do
    for standard in c99 c17; do
        # shellcheck disable=SC2086
        ok "$standard: bsp_$program" quietly $CC -std=$standard $include $strict -pedantic \
            -c "$srcdir/contract/bsp_$program.c" -o "$work/t.o"
    done
done

# A compiler that does not identify itself has no _Generic before C11; the macro then chooses.
plain="$CC -std=c99 -U__GNUC__ -U__clang__"
if compile int '' $plain; then
    ok 'without _Generic: int' takes int "$functions; $all" $plain $strict
    ok 'without _Generic: bsp_size_t' takes bsp_size_t "$all" $plain $strict
    ok 'without _Generic: no size_t' refuses size_t "$all" $plain $strict
    macro="$plain -DCM_BSP_SIZE_T"
    ok 'CM_BSP_SIZE_T: size_t' takes size_t "$all" $macro $strict
    ok 'CM_BSP_SIZE_T: the types' takes bsp_size_t \
        "bsp_nprocs_t n = 0; bsp_qsize(&n, &b); $all" $macro $strict
    ok 'CM_BSP_SIZE_T: the functions' takes int "$functions" $macro $strict
    ok 'CM_BSP_SIZE_T: no int' refuses int "$all" $macro $strict
else skip 'without _Generic' "$CC does not compile without its macros"
fi

ranks=3
[ "$comm" != dummy ] || ranks=1
ok 'C99 runs' run $ranks 0 '' "$(pwd)/contract/bsp_size_c99"
if [ "$TEST_CXX" ]; then
    suffix=cc
    for standard in c++98 c++17; do language "$standard" $TEST_CXX -std=$standard; done
    ok 'C++ runs' run $ranks 0 '' "$(pwd)/contract/bsp_size_cxx"
else skip 'C++' 'there is no compiler for it'
fi
finish
