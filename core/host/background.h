/* SPDX-License-Identifier: Apache-2.0 */
/*
 * background.h - the work of all hosts of an engine, and the threads
 * that do it.  For background.c, host.c, host_jobs.c, host_work.c, host_ready.c,
 * host_cache.c, host_count.c and path_watch.c.
 *
 * One lock guards everything here except where it says otherwise.  It is never
 * held while a job runs.  Whatever runs for a host runs between
 * background_begin() and background_end(), and host_free() waits for that, so
 * work may be used there without the lock.
 */
#ifndef LIMEN_CORE_HOST_BACKGROUND_H
#define LIMEN_CORE_HOST_BACKGROUND_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "file/file.h"
#include "services.h"
#include "pool.h"

/* Which thread runs a job. */
typedef enum job_thread {
	JOB_BACKGROUND, /* that of the background */
	JOB_WORKER,     /* one of a few workers: it may block */
	JOB_OWN         /* one of its own: it runs as long as its instance lives */
} job_thread;

typedef struct timer {
	struct timer *next;
	limen_host *host;
	limen_job job;
	void *data;
	int64_t due; /* limen_host_monotonic() */
	uint64_t order; /* of its request, among all */
	job_thread thread;
	bool retried; /* no thread could be started for it so far */
} timer;

typedef struct fd_watch {
	struct fd_watch *next;
	limen_host *host;
	limen_job job;
	void *data;
	int fd;
	bool over; /* hung up and read to its end */
} fd_watch;

/* Watched directories of a path: its parent, that of the file it leads to, and itself. */
enum { DIR_PARENT, DIR_TARGET, DIR_SELF, DIR_COUNT };

typedef struct path_watch {
	struct path_watch *next;
	limen_host *host;
	limen_job job;
	void *data;
	char *path;
	file_identity seen;
	int dirs[DIR_COUNT]; /* numbers of watched_dirs.h */
	int64_t due;         /* time of the next check */
	int64_t first_event; /* since the last check; 0: none */
	bool forced;         /* 'path' is a directory, and an event happened in it */
} path_watch;

struct background {
	const host_services *services;
	pthread_mutex_t log_lock; /* one log line at a time, and 'silent'; held alone */
	bool silent; /* the log is gone */
	watched_dirs dirs;        /* has its own lock */

	pthread_mutex_t lock;
	pthread_cond_t progress; /* something for a host ended, or poll() returned */
	timer *timers;           /* by 'due', then 'order' */
	timer *spare;            /* of the job that runs: its next request cannot fail */
	fd_watch *fds;           /* in the order they were added */
	path_watch *paths;
	path_watch *next_path;   /* the path that path_watch_run() checks next */
	uint64_t orders; /* given out so far */
	bool dirs_failed; /* has been logged */

	pthread_t thread;
	bool started;
	bool stopping;
	bool polling;
	uint64_t rounds; /* how often poll() was called */
	int wake;        /* eventfd that ends a poll() */
	limen_host *running;

	pool *workers;      /* for jobs that may block; has its own lock */
	pool *owned;        /* threads of jobs that have their own; likewise */
	size_t working;     /* how many jobs that may block run */
	size_t elsewhere;   /* how many jobs run on any other thread than the background's */
	size_t unready;     /* active hosts that are not ready */
	atomic_bool ending; /* no more jobs that may block start; not under the lock */

	/* The argument of poll(): 'wake' and inotify, then the descriptors of 'polled_watches'. */
	struct pollfd *polled;
	fd_watch **polled_watches; /* NULL: removed during poll() */
	size_t polled_count;
	size_t polled_capacity;
};

struct limen_host {
	background *back;
	char *section;
	char *name;
	char *source; /* "SECTION/NAME" for log lines */
	bool active;
	atomic_bool closing; /* written under the lock */
	bool working;        /* one of its jobs that may block is running */
	size_t elsewhere;    /* how many of its jobs run on other threads, that one included */
	int stop_fd;           /* eventfd, readable once it is closing; -1: not made yet */
	bool unready;        /* limen_host_set_ready() */
	bool has_work; /* or had some */
	bool ended;        /* freed by its own job, which still runs */
	fd_watch *fds;     /* taken back from the background, or never given to it */
	path_watch *paths; /* taken back */
	limen_counter *counters; /* in the order they were first asked for */
};

/* Frees a list of counters: host_count.c.  NULL is fine. */
void host_counters_free(limen_counter *counters);

/* Starts the thread if needed and wakes it; false if it cannot be started.  Lock held. */
bool background_ready(background *back);

/* Ends a poll() that is under way, because there may be something to do.  Lock held. */
void background_wake(background *back);

/*
 * Takes all work of 'host' away from the thread: timers are dropped, the rest
 * goes to the lists of the host.  Lock held.
 */
void background_take(background *back, limen_host *host);

/* Is this the background thread?  Lock held. */
bool background_is_here(const background *back);

/* Waits until poll() no longer uses descriptors taken from 'fds'.  Lock held. */
void background_leave_poll(background *back);

/* Enclose every job of 'host'; the lock is held before and after, not between. */
void background_begin(background *back, limen_host *host);
void background_end(background *back);

typedef enum host_offer {
	OFFER_TAKEN,   /* to be given to the background */
	OFFER_IGNORED, /* it will never run: passive, or too late */
	OFFER_FAILED   /* no thread could be started */
} host_offer;

/* Says whether new work of 'host' is taken (host.c).  Lock held. */
host_offer host_offer_work(limen_host *host);

/* Puts 'item' in its place among the timers (host_jobs.c).  Lock held. */
void timer_insert(background *back, timer *item);

/* ---- jobs on other threads (host_work.c).  Lock held. ---- */

/* Must the job wait: too many such jobs are running, or one of the same host? */
bool work_must_wait(const background *back, const timer *item);

/*
 * Hands 'due' to another thread; if there is none, schedules a retry.  Logs the first retry, and
 * when no job is retried any more.
 */
void work_start(background *back, timer *due);

/* Waits until no such job of 'host' runs. */
void work_wait(limen_host *host);

/* Makes the descriptor of limen_host_stopping_fd() readable, if there is one. */
void work_tell(const limen_host *host);

/* ---- readiness (host_ready.c).  Lock held. ---- */

/* 'host' begins to count, or no longer does. */
void ready_enter(limen_host *host);
void ready_leave(limen_host *host);

/* Completes a host_free() that a running job of the host called (host.c).  Lock held. */
void host_finish(limen_host *host);

/* Drops the timers of 'host' (host_jobs.c).  Lock held. */
void timer_drop(background *back, const limen_host *host);

/* Move the watches of 'host' to its own list (host_jobs.c, path_watch.c).  Lock held. */
void fd_watch_take(background *back, limen_host *host);
void path_watch_take(background *back, limen_host *host);

/* Closes and frees all of 'list' (host_jobs.c, path_watch.c). */
void fd_watch_free(fd_watch *list);
void path_watch_free(watched_dirs *dirs, path_watch *list);

/* ---- paths (path_watch.c).  Lock held, but released while a path is checked. ---- */

/* Reads the kernel's events about directories. */
void path_watch_read(background *back);

/* Checks the paths that are due and runs the jobs of those that changed. */
void path_watch_run(background *back);

/* When path_watch_run() has something to do next; INT64_MAX: never. */
int64_t path_watch_due(const background *back);

#endif
