# SPDX-License-Identifier: BSD-3-Clause
# CM_BUILD_STRINGS: the properties of the build that every result states, as strings in config.h.
# The git revision is in src/revision.h instead, because it changes without a new configure.
AC_DEFUN([CM_BUILD_STRINGS], [
cm_cflags=${CM_NATIVE_CFLAGS:+$CM_NATIVE_CFLAGS }$CFLAGS
cm_fcflags=${CM_NATIVE_FCFLAGS:+$CM_NATIVE_FCFLAGS }$FCFLAGS
CM_STRING([CM_COMM], [$CM_COMM], [The communication backend.])
CM_STRING([CM_PROPERTIES], [$CM_PROPERTIES], [Its properties, for scripts.])
CM_STRING([CM_CC], [$CC], [The C compiler.])
CM_STRING([CM_CFLAGS], [$cm_cflags], [Its flags.])
CM_STRING([CM_FC], [$FC], [The Fortran compiler.])
CM_STRING([CM_FCFLAGS], [$cm_fcflags], [Its flags.])
])

# CM_STRING(NAME, VALUE, COMMENT): NAME as a C string in config.h, whatever VALUE contains.
AC_DEFUN([CM_STRING], [
cm_string=$2
cm_string=`AS_ECHO(["$cm_string"]) | sed 's/[[\\"]]/\\\\&/g'`
AC_DEFINE_UNQUOTED([$1], ["$cm_string"], [$3])
])
