/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.c - starts templates, and starts them again with all of their scripts after they
 * have ended; keeps the list of idle workers.  Limen itself never forks: it may have threads.
 */
#include "template.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compiler.h"
#include "processors.h"

#define WORKERS_MAX 8

/* Twice what an idle processor takes to wake up. */
#define SPIN_NS 50000

typedef struct program {
	char *text; /* NULL: its script is closed */
	bool output_raw;
} program;

struct template {
	unsigned references; /* of scripts; guarded by open_lock */
	bool needs_filter;
	bool has_filter;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t returned;
	bool is_sealed;  /* it forks workers, and takes no more scripts */
	bool is_forking; /* one thread uses 'process', without the lock */
	process process;
	program *programs;
	uint32_t count;
	worker *idle;
	unsigned workers; /* idle, busy, and the one that is being forked */
};

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static template *open_template; /* which scripts of trusted policies join, or NULL */

static unsigned processors;

static void
count_processors(void)
{
	processors = processors_count();
}

static unsigned
workers_limit(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, count_processors);
	return processors < WORKERS_MAX ? processors : WORKERS_MAX;
}

unsigned
template_spin(void)
{
	return workers_limit() > 1 ? SPIN_NS : 0;
}

/* Compiles program 'number'.  Returns null, or what is wrong. */
static jv
compile(template *self, uint32_t number)
{
	const channel_script head = { .number = number,
		                      .output_raw = self->programs[number].output_raw };

	return compiler_compile(&self->process, &head, self->programs[number].text);
}

/* Starts the process if it is not running, with all scripts; false: that failed. */
static bool
start_again(template *self)
{
	jv problem;

	if (self->process.socket >= 0)
		return true;
	problem = compiler_start(&self->process, self->needs_filter, &self->has_filter);
	for (uint32_t i = 0; self->process.socket >= 0 && i < self->count; i++) {
		/* What compiled once may fail, when a file that it imports has changed. */
		if (self->programs[i].text != NULL)
			jv_free(compile(self, i));
	}
	jv_free(problem);
	return self->process.socket >= 0;
}

static template *
new_template(const template_script *script)
{
	template *made = calloc(1, sizeof(*made));
	pthread_condattr_t attributes;

	if (made == NULL)
		return NULL;
	made->needs_filter = script->needs_filter;
	made->process = (process){ .socket = -1, .pidfd = -1 };
	pthread_mutex_init(&made->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&made->returned, &attributes);
	pthread_condattr_destroy(&attributes);
	return made;
}

static void
free_workers(template *self, void (*drop)(worker *one))
{
	while (self->idle != NULL) {
		worker *next = self->idle->next;

		drop(self->idle);
		self->workers--;
		self->idle = next;
	}
}

/* In the child of a fork, everything is the parent's. */
static void
forget_parent(template *self)
{
	if (self->process.owner == 0 || process_is_own(&self->process))
		return;
	free_workers(self, worker_forget);
	self->workers = 0;
	self->is_forking = false;
	if (self->process.socket >= 0)
		process_end(&self->process);
}

static void
free_template(template *freed)
{
	forget_parent(freed);
	free_workers(freed, worker_end);
	if (freed->process.socket >= 0)
		process_end(&freed->process);
	for (uint32_t i = 0; i < freed->count; i++)
		free(freed->programs[i].text);
	free(freed->programs);
	pthread_cond_destroy(&freed->returned);
	pthread_mutex_destroy(&freed->lock);
	free(freed);
}

/* Under the lock: adds a program; returns false when memory is short. */
static bool
add_program(template *self, const template_script *script)
{
	program *grown = realloc(self->programs, (self->count + 1) * sizeof(*grown));

	if (grown == NULL)
		return false;
	self->programs = grown;
	grown[self->count] = (program){ .text = strdup(script->program),
		                        .output_raw = script->output_raw };
	if (grown[self->count].text == NULL)
		return false;
	self->count++;
	return true;
}

/* Under both locks.  Returns null, or what is wrong. */
static jv
add_script(template *self, const template_script *script)
{
	jv problem = jv_null();

	if (self->process.socket < 0 && self->count == 0)
		problem = compiler_start(&self->process, self->needs_filter, &self->has_filter);
	else if (!start_again(self))
		problem = compiler_silence(CHANNEL_GONE);
	if (jv_get_kind(problem) != JV_KIND_NULL)
		return problem;
	if (!add_program(self, script))
		return jv_invalid();
	problem = compile(self, self->count - 1);
	if (jv_get_kind(problem) != JV_KIND_NULL)
		free(self->programs[--self->count].text);
	return problem;
}

/*
 * Under open_lock: the template that 'script' joins, with its lock held, so that it is not
 * sealed before the script is in; NULL when memory is short.
 */
static template *
choose(const template_script *script)
{
	template *open = script->is_alone ? NULL : open_template;
	template *made;

	if (open != NULL) {
		pthread_mutex_lock(&open->lock);
		forget_parent(open);
		if (!open->is_sealed)
			return open;
		pthread_mutex_unlock(&open->lock);
	}
	made = new_template(script);
	if (made != NULL)
		pthread_mutex_lock(&made->lock);
	return made;
}

template *
template_join(const template_script *script, uint32_t *number, bool *has_filter, jv *problem)
{
	template *joined;

	*problem = jv_invalid();
	pthread_mutex_lock(&open_lock);
	joined = choose(script);
	if (joined != NULL) {
		*problem = add_script(joined, script);
		*number = joined->count - 1;
		*has_filter = joined->has_filter;
		pthread_mutex_unlock(&joined->lock);
	}
	if (joined != NULL && jv_get_kind(*problem) == JV_KIND_NULL) {
		joined->references++;
		if (!script->is_alone)
			open_template = joined;
	} else if (joined != NULL && joined->references == 0) {
		free_template(joined);
		joined = NULL;
	} else {
		joined = NULL;
	}
	pthread_mutex_unlock(&open_lock);
	return joined;
}

void
template_leave(template *left, uint32_t number)
{
	bool is_last;

	pthread_mutex_lock(&left->lock);
	/* A thread that makes a worker reads the texts without the lock. */
	while (left->is_forking)
		pthread_cond_wait(&left->returned, &left->lock);
	free(left->programs[number].text);
	left->programs[number].text = NULL;
	pthread_mutex_unlock(&left->lock);
	/* Until here the script holds the template. */
	pthread_mutex_lock(&open_lock);
	is_last = --left->references == 0;
	if (is_last && open_template == left)
		open_template = NULL;
	pthread_mutex_unlock(&open_lock);
	if (is_last)
		free_template(left);
}

/* Without the lock, while is_forking: makes a worker, with a new template if that is gone. */
static bool
fill_worker(template *self, worker *made, const int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (!start_again(self))
			return false;
		if (worker_fork(made, &self->process, fds, limen_host_monotonic() + COMPILER_NS))
			return true;
		process_end(&self->process);
	}
	return false;
}

static worker *
fork_worker(template *self)
{
	int fds[2];
	worker *made = worker_new(template_spin(), fds);
	bool good;

	if (made == NULL)
		return NULL;
	good = fill_worker(self, made, fds);
	close(fds[0]);
	close(fds[1]);
	if (good)
		return made;
	worker_forget(made);
	return NULL;
}

/* Under the lock: waits for a change; returns false after the deadline. */
static bool
wait_for_one(template *from, int64_t deadline)
{
	struct timespec at = { .tv_sec = (time_t)(deadline / 1000000000),
		               .tv_nsec = (long)(deadline % 1000000000) };

	if (deadline == INT64_MAX)
		return pthread_cond_wait(&from->returned, &from->lock) == 0;
	return pthread_cond_timedwait(&from->returned, &from->lock, &at) == 0;
}

/* Under the lock, which is free while the worker is made. */
static worker *
make_worker(template *from)
{
	worker *made;

	from->is_sealed = true;
	from->is_forking = true;
	from->workers++;
	pthread_mutex_unlock(&from->lock);
	made = fork_worker(from);
	pthread_mutex_lock(&from->lock);
	from->is_forking = false;
	if (made == NULL)
		from->workers--;
	pthread_cond_broadcast(&from->returned);
	return made;
}

worker *
template_take(template *from, int64_t deadline)
{
	worker *taken = NULL;
	bool goes_on = true;

	pthread_mutex_lock(&from->lock);
	forget_parent(from);
	while (goes_on) {
		taken = from->idle;
		if (taken != NULL) {
			from->idle = taken->next;
			goes_on = false;
		} else if (!from->is_forking && from->workers < workers_limit()) {
			taken = make_worker(from);
			goes_on = false;
		} else {
			goes_on = wait_for_one(from, deadline);
		}
	}
	pthread_mutex_unlock(&from->lock);
	return taken;
}

void
template_put(template *to, worker *back, bool is_lost)
{
	pthread_mutex_lock(&to->lock);
	if (is_lost) {
		to->workers--;
	} else {
		back->next = to->idle;
		to->idle = back;
	}
	pthread_cond_signal(&to->returned);
	pthread_mutex_unlock(&to->lock);
	if (is_lost)
		worker_end(back);
}
