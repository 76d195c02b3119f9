# Sources of liblimen: one line a file, with its private header.
core_sources += core/arena.c core/arena.h
core_sources += core/strbuf.c core/strbuf.h
core_sources += core/result.c
