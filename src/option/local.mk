nobase_pkginclude_HEADERS += option/option.h
libclustermark_la_SOURCES += option/option.h
