# SPDX-License-Identifier: BSD-3-Clause
# CM_INSTALLED_NAMES: programs are installed with the backend's name behind their own, so that
# several backends can share a prefix. Sets program_transform_name, by which automake installs them,
# and link_transform_name, which is --program-prefix and its like alone: man pages and the links
# without the backend's name have it. completiondir: completions for bash.
AC_DEFUN([CM_INSTALLED_NAMES], [
AC_REQUIRE([CM_BACKEND])
AC_SUBST([link_transform_name], [$program_transform_name])
program_transform_name="s&\$\$&-$CM_COMM&;$program_transform_name"
AC_SUBST([all_backends], ["m4_join([ ], CM_BACKENDS)"])
AC_SUBST([completiondir], ['${datadir}/bash-completion/completions'])
])
