# SPDX-License-Identifier: Apache-2.0
# core/engine: load, swap, watch, decide, describe.
core_sources += core/engine/engine.c core/engine/engine.h
core_sources += core/engine/engine_buckets.c core/engine/engine_quotas.c
core_sources += core/engine/engine_decide.c
core_sources += core/engine/engine_describe.c
core_sources += core/engine/engine_graveyard.c
core_sources += core/engine/engine_modules.c
core_sources += core/engine/engine_pending.c
core_sources += core/engine/engine_source.c
core_sources += core/engine/engine_templates.c
core_sources += core/engine/engine_watch.c
