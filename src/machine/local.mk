nobase_pkginclude_HEADERS += machine/machine.h
