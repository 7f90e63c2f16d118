nobase_pkginclude_HEADERS += result/result.h
