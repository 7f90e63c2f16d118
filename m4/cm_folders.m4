# SPDX-License-Identifier: BSD-3-Clause
# CM_FOLDERS: refuses blanks in the paths of the build and of the sources and in the folders of an
# installation, which libtool's and automake's commands take for several words. (automake accepts
# them in the first. In the second it refuses them, but in the middle of a line.) It comes before
# AM_INIT_AUTOMAKE.
AC_DEFUN([CM_FOLDERS], [
cm_build=`pwd`
CM_FOLDER_REFUSE([$cm_build], [the build folder '$cm_build': libtool cannot build]dnl
[ where the path has blanks; choose a folder without])
CM_FOLDER_REFUSE([$srcdir], [the sources' folder '$srcdir': automake cannot build]dnl
[ where the path has blanks; choose a folder without])
for cm_folder in prefix exec_prefix bindir libdir includedir datarootdir datadir mandir infodir \
                 docdir htmldir
do
  eval "cm_value=\$$cm_folder"
  cm_option=--`AS_ECHO(["$cm_folder"]) | tr _ -`
  CM_FOLDER_REFUSE([$cm_value], [$cm_option='$cm_value': libtool cannot install into a folder]dnl
[ with blanks in its name; choose one without])
done
])

# CM_FOLDER_REFUSE(PATH, ERROR): fails with ERROR if the path has blanks.
AC_DEFUN([CM_FOLDER_REFUSE],
  [AS_CASE([$1], [*@<:@@<:@:space:@:>@@:>@*], [AC_MSG_ERROR([$2])])])
