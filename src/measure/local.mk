nobase_pkginclude_HEADERS += measure/clock.h measure/samples.h measure/fit.h
