# SPDX-License-Identifier: Apache-2.0
# core/host: background thread, jobs, worker pool, counters, status.
core_sources += core/host/background.c
core_sources += core/host/host.c core/host/services.h
core_sources += core/host/host_cache.c
core_sources += core/host/host_count.c
core_sources += core/host/host_jobs.c
core_sources += core/host/host_ready.c
core_sources += core/host/host_work.c
core_sources += core/host/path_watch.c
core_sources += core/host/pool.c core/host/pool.h
core_sources += core/host/background.h
core_sources += core/host/host.h
