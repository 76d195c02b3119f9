# SPDX-License-Identifier: Apache-2.0
# core/file: reading files and folders safely, watching them.
core_sources += core/file/file.c core/file/file_read.h
core_sources += core/file/file_identity.c core/file/file_identity.h
core_sources += core/file/folder.c core/file/folder.h
core_sources += core/file/trust.c core/file/trust.h
core_sources += core/file/watched_dirs.c core/file/watched_dirs.h
core_sources += core/file/writable.c core/file/writable.h
core_sources += core/file/file.h
