# SPDX-License-Identifier: BSD-3-Clause
# CM_SETS: the instruction sets for which kernels are compiled besides the baseline (src/machine/
# sets.h): v3 and v4, the levels x86-64-v3 and x86-64-v4, and native, the machine's own. For each
# NAME the conditional CM_SET_NAME, HAVE_SET_NAME (1 or 0) and CM_SET_NAME_CFLAGS, which replaces
# AM_CFLAGS. The levels stand as single flags: these are in force whatever -march the user's flags,
# which come later, have, and older compilers do not know the levels by name.
AC_DEFUN([CM_SETS], [
AC_REQUIRE([AC_CANONICAL_HOST])
CM_SET_BASELINE_CFLAGS=$CM_WARNINGS
AC_SUBST([CM_SET_BASELINE_CFLAGS])
cm_sets=baseline
CM_SET_X86([V3], [v3], [-mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mmovbe -mpopcnt],
  [__m256d v = _mm256_set1_pd(argc); v = _mm256_fmadd_pd(v, v, v);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32((__m256i)v, (__m256i)v));])
CM_SET_X86([V4], [v4], [$CM_SET_V3_FLAGS -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl],
  [__m512d v = _mm512_floor_pd(_mm512_set1_pd(argc));
    return _mm512_movepi64_mask((__m512i)v);])
CM_SET([NATIVE], [native], [test -n "$CM_NATIVE_CFLAGS"], [$CM_NATIVE_CFLAGS])
CM_SUMMARY_ADD([sets], [$cm_sets])
])

# CM_SET(NAME, name, CONDITION, FLAGS)
AC_DEFUN([CM_SET], [
cm_have=0
AS_IF([$3], [cm_have=1 cm_sets="$cm_sets, $2"])
AC_DEFINE_UNQUOTED([HAVE_SET_$1], [$cm_have],
  [Define to 1 if kernels are compiled for the instruction set $2, else to 0.])
AM_CONDITIONAL([CM_SET_$1], [test "$cm_have" = 1])
AC_SUBST([CM_SET_$1_CFLAGS], ["$CM_WARNINGS $4"])
])

# CM_SET_X86(NAME, name, FLAGS, BODY): a set that the compiler has if it compiles and links BODY.
AC_DEFUN([CM_SET_X86], [
CM_SET_$1_FLAGS="$3"
AS_CASE([$host_cpu], [x86_64 | amd64], [
  AC_CACHE_CHECK([whether $CC compiles for the instruction set $2], [cm_cv_set_$2], [
    cm_cflags_saved=$CFLAGS
    CFLAGS="$CM_SET_$1_FLAGS $CFLAGS"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <immintrin.h>
      int main(int argc, char **argv) { (void)argv; $4 }]])], [cm_cv_set_$2=yes], [cm_cv_set_$2=no])
    CFLAGS=$cm_cflags_saved])], [cm_cv_set_$2=no])
CM_SET([$1], [$2], [test "$cm_cv_set_$2" = yes], [$CM_SET_$1_FLAGS])
])
