/* SPDX-License-Identifier: Apache-2.0 */
/*
 * services.h - the engine's side of <limen/host.h>: one host for each instance,
 * and the threads that run their jobs.
 *
 * The background thread starts with the first job; what may block is handed to
 * workers.  Jobs of a host run only between host_activate() and host_free().
 */
#ifndef LIMEN_CORE_HOST_SERVICES_H
#define LIMEN_CORE_HOST_SERVICES_H

#include <limen/builder.h>
#include <limen/host.h>

#include "document/document.h"

typedef struct background background;

/* Settings of all hosts of an engine: the log and the cache directory. */
typedef struct host_services {
	void (*log)(void *data, limen_log_level level, const char *source, const char *text);
	void *log_data;
	const char *cache_dir; /* NULL: none */
	bool passive;          /* jobs are accepted and never run */
} host_services;

/* 'services' must outlive the background.  NULL when memory is short. */
background *background_new(const host_services *services);

/*
 * Starts no more jobs that may block, and tells running ones to stop: the engine is
 * about to end.
 */
void background_wind_down(background *back);

/*
 * Waits until every active host is ready, for 'timeout' at most; returns false if one is
 * not.  Does not wait if the services are passive.
 */
bool background_wait_ready(background *back, limen_duration timeout);

/* Waits until no job runs, or 'deadline' has passed; returns false if one still runs. */
bool background_wait_idle(background *back, int64_t deadline);

/* Stops logging: the program's log may be gone. */
void background_silence(background *back);

/* Ends the threads; all hosts must have been freed.  Not for jobs.  NULL is fine. */
void background_free(background *back);

/*
 * Makes a host for the entry 'name' of 'section', which also
 * tell its cache files apart.  NULL when memory is short.
 */
limen_host *host_new(background *back, const char *section, const char *name);

/* From now on jobs may run. */
void host_activate(limen_host *host);

/*
 * As host_stop(), without waiting, so that several hosts can stop in parallel.  Returns
 * false while a job of the host is running.
 */
bool host_begin_stop(limen_host *host);

/*
 * Drops all jobs and takes no more, waiting for those that are running (unless
 * called by such a job on the background thread).  Logging and counting still work: a module's close
 * may want them.
 */
void host_stop(limen_host *host);

/*
 * Drops all jobs, waiting for those that are running, closes watched descriptors
 * and frees.  Called by such a job on the background thread, it does so when the
 * job returns.  NULL is fine.
 */
void host_free(limen_host *host);

/* Calls 'each' for each counter of 'host' with a lock held: it must be quick, and use no host. */
void host_each_counter(limen_host *host,
                       void (*each)(void *data, const char *name, int64_t value), void *data);

/* Adds the counters of 'host', if any, to an object that is open, as an object "counters". */
void host_report(limen_host *host, limen_builder *build);

#endif
