# SPDX-License-Identifier: Apache-2.0
# core/base: memory, text, hashing, maps, threads, clocks.
core_sources += core/base/arena.c core/base/arena.h
core_sources += core/base/cleanup.c core/base/cleanup.h
core_sources += core/base/clock.c core/base/clock.h
core_sources += core/base/format.c core/base/format.h
core_sources += core/base/hash.c core/base/hash.h
core_sources += core/base/name_index.c core/base/name_index.h
core_sources += core/base/nearest.c
core_sources += core/base/recycle.c core/base/recycle.h
core_sources += core/base/result.c
core_sources += core/base/sized.c core/base/sized.h
core_sources += core/base/strbuf.c core/base/strbuf.h
core_sources += core/base/text_map.c core/base/text_map.h
core_sources += core/base/thread.c core/base/thread.h
core_sources += core/base/utf8.c core/base/utf8.h
core_sources += core/base/version.c
core_sources += core/base/compiler.h
core_sources += core/base/wide.h
core_sources += core/base/same_bytes.h
core_sources += core/base/ascii.h core/base/lower_bound.h
