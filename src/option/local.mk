nobase_pkginclude_HEADERS += option/option.h
libclustermark_la_SOURCES += option/option.h option/table.h option/text.h \
	option/option.c option/table.c option/value.c option/text.c option/help.c option/man.c \
	option/completion.c option/metrics.c option/command.c option/command_word.c option/error.c
