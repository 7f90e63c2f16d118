# SPDX-License-Identifier: BSD-3-Clause
# CM_FOLDERS: refuses blanks in the folders of an installation, which libtool's and automake's
# commands take for several words. (automake itself refuses them in the folder of the sources and of
# the build.)
AC_DEFUN([CM_FOLDERS], [
for cm_folder in prefix exec_prefix bindir libdir includedir datarootdir datadir mandir infodir \
                 docdir htmldir
do
  eval "cm_value=\$$cm_folder"
  cm_option=--`AS_ECHO(["$cm_folder"]) | tr _ -`
  AS_CASE([$cm_value], [*@<:@@<:@:space:@:>@@:>@*],
    [AC_MSG_ERROR([$cm_option='$cm_value': libtool cannot install into a folder]dnl
[ with blanks in its name; choose one without])])
done
])
