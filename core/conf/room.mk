# SPDX-License-Identifier: Apache-2.0
# core/conf: the files of a policy into sections.
core_sources += core/conf/conf_manifests.c core/conf/conf_manifests.h
core_sources += core/conf/conf_modules.c
core_sources += core/conf/conf_read.c
core_sources += core/conf/conf_sections.c
core_sources += core/conf/conf_files.h
core_sources += core/conf/conf.h
