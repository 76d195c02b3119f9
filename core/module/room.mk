# SPDX-License-Identifier: Apache-2.0
# core/module: loader, ABI rule, instances, stores.
core_sources += core/module/instance.c core/module/instance.h
core_sources += core/module/loader.c core/module/loader.h
core_sources += core/module/loader_scan.c
core_sources += core/module/module.c core/module/descriptor.h
core_sources += core/module/open_context.c core/module/open_context.h
core_sources += core/module/open_documents.c
core_sources += core/module/setting.c core/module/setting.h
core_sources += core/module/store.c core/module/store.h
core_sources += core/module/tried.c core/module/tried.h
core_sources += core/module/module.h
