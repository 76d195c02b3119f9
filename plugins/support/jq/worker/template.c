/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.c - starts templates, asks them to compile and to fork, and keeps the list of idle
 * workers.  Limen itself never forks: it may have threads.  A thread waits for an answer without
 * the lock; a run whose deadline passes leaves the answer to the next run.
 */
#include "template.h"

#include <jv.h>
#include <limen/host.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"

/* Each run has a worker: more of them at once wait for the first that is given back. */
#define WORKERS_MAX 16

/*
 * The longest start of a process, and for each script that it compiles as much again; usually
 * some milliseconds.
 */
#define START_NS ((int64_t)10 * 1000 * 1000 * 1000)

typedef struct program {
	char *text; /* NULL: its script is closed */
	bool output_raw;
} program;

struct template {
	unsigned references; /* of scripts; guarded by open_lock */
	bool needs_filter;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t changed;
	bool has_filter;
	bool is_sealed;   /* it forks workers, and takes no more scripts */
	bool is_busy;     /* one thread waits for an answer of 'process' */
	process process;
	int64_t give_up;  /* when 'process' is taken for dead without an answer */
	worker *asked;    /* which 'process' is forking */
	program *programs;
	uint32_t count;
	worker *idle;     /* the last one used first */
	unsigned workers; /* idle or busy */
};

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static template *open_template; /* new scripts of trusted policies join it; or NULL */

/* A child of a fork makes templates of its own: another thread may be at work on this one. */
static void
forget_open(void)
{
	pthread_mutex_init(&open_lock, NULL);
	open_template = NULL;
}

__attribute__((constructor)) static void
watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_open);
}

static template *
new_template(const template_script *script)
{
	template *opened = calloc(1, sizeof(*opened));
	pthread_condattr_t attributes;

	if (opened == NULL)
		return NULL;
	opened->needs_filter = script->is_alone;
	opened->process = (process){ .socket = -1, .pidfd = -1 };
	pthread_mutex_init(&opened->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&opened->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return opened;
}

static void
drop_workers(worker *list, void (*drop)(worker *item))
{
	while (list != NULL) {
		worker *next = list->next;

		drop(list);
		list = next;
	}
}

static void
end_process(template *self)
{
	if (self->process.socket >= 0)
		process_end(&self->process);
	if (self->asked != NULL)
		worker_forget(self->asked);
	self->asked = NULL;
}

/* Drops the parent's process and workers in the child of a fork. */
static void
forget_parent(template *self)
{
	if (self->process.owner == 0 || self->process.owner == getpid())
		return;
	drop_workers(self->idle, worker_forget);
	self->idle = NULL;
	self->workers = 0;
	self->is_busy = false;
	end_process(self);
}

static void
free_template(template *freed)
{
	forget_parent(freed);
	drop_workers(freed->idle, worker_end);
	end_process(freed);
	for (uint32_t i = 0; i < freed->count; i++)
		free(freed->programs[i].text);
	free(freed->programs);
	pthread_cond_destroy(&freed->changed);
	pthread_mutex_destroy(&freed->lock);
	free(freed);
}

/* ---- under the lock: messages to and from the process ---- */

/* 'G', and no text. */
static bool
is_good_greeting(template *self, const char *bytes, ssize_t length)
{
	if (length != 3 || bytes[0] != 'G' || bytes[1] != CHANNEL_VERSION)
		return false;
	self->has_filter = bytes[2] != 0;
	return self->has_filter || !self->needs_filter;
}

/* Waits for a message of 'kind' (0: any) and skips others; releases the lock meanwhile. */
static ssize_t
hear(template *self, char kind, char *bytes, int64_t deadline)
{
	int socket = self->process.socket;
	ssize_t length;

	pthread_mutex_unlock(&self->lock);
	do
		length = channel_receive(socket, bytes, NULL, deadline);
	while (length > 0 && kind != 0 && bytes[0] != kind &&
	       (bytes[0] != 'G' || is_good_greeting(self, bytes, length)));
	pthread_mutex_lock(&self->lock);
	return length > 0 && kind != 0 && bytes[0] != kind ? CHANNEL_GONE : length;
}

/* Asks the process to compile the program 'first' and those after it. */
static bool
send_programs(const template *self, uint32_t first)
{
	const int fds[2] = { memfd_create("limen-jq-scripts", MFD_CLOEXEC), -1 };
	FILE *file = fds[0] < 0 ? NULL : fdopen(fds[0], "w");
	bool good = file != NULL;

	for (uint32_t i = first; i < self->count && good; i++) {
		const program *item = &self->programs[i];
		channel_script head = { .number = i, .output_raw = item->output_raw };

		if (item->text == NULL)
			continue;
		head.length = (uint32_t)strlen(item->text) + 1;
		good = fwrite(&head, sizeof(head), 1, file) == 1 &&
		       fwrite(item->text, head.length, 1, file) == 1;
	}
	good = good && fflush(file) == 0 && channel_send(self->process.socket, "C", 1, fds);
	if (file != NULL)
		fclose(file);
	else if (fds[0] >= 0)
		close(fds[0]);
	return good;
}

/*
 * Asks the process to fork a worker, and starts it with all scripts if it is not running.  A
 * script whose imports have changed may not compile again: then its runs fail.
 */
static bool
ask_for_worker(template *self)
{
	bool is_new = self->process.socket < 0;
	int fds[2];
	bool good;

	self->give_up = limen_host_monotonic() + START_NS * (is_new ? self->count + 1 : 1);
	if (is_new && process_start(&self->process) != 0)
		return false;
	good = !is_new || send_programs(self, 0);
	self->asked = good ? worker_new(fds) : NULL;
	if (self->asked != NULL) {
		good = channel_send(self->process.socket, "F", 1, fds);
		close(fds[0]);
		close(fds[1]);
	}
	if (!good)
		end_process(self);
	return self->asked != NULL;
}

/*
 * Returns the worker that was asked for.  NULL: 'deadline' has passed before the answer, the
 * process cannot fork now, or it has failed and was ended.
 */
static worker *
hear_of_worker(template *self, int64_t deadline)
{
	char bytes[CHANNEL_BYTES_MAX];
	ssize_t length = hear(self, 'F', bytes, deadline);
	worker *started = self->asked;
	int32_t pid = -1;

	if (length == CHANNEL_LATE && limen_host_monotonic() < self->give_up)
		return NULL;
	if (length == 1 + sizeof(pid))
		memcpy(&pid, bytes + 1, sizeof(pid));
	if (pid == 0) {
		worker_forget(started);
		started = NULL;
	} else if (pid <= 1 || getpgid(pid) != self->process.pid) {
		/* A liar could name any process of this user, which would then be killed. */
		end_process(self);
		return NULL;
	} else {
		started->pid = pid;
		started->group = self->process.pid;
	}
	self->asked = NULL;
	return started;
}

/* Makes a worker, with a new process if the old one turns out to be gone. */
static worker *
make_worker(template *self, int64_t deadline)
{
	worker *started = NULL;
	bool was_there;

	self->is_sealed = true;
	self->is_busy = true;
	do {
		was_there = self->process.socket >= 0;
		if (self->asked != NULL || ask_for_worker(self))
			started = hear_of_worker(self, deadline);
	} while (was_there && self->process.socket < 0);
	if (started != NULL)
		self->workers++;
	self->is_busy = false;
	/* If forking fails now, others wait for a busy worker: a retry would wake this run. */
	if (started != NULL || self->asked != NULL || self->workers == 0)
		pthread_cond_broadcast(&self->changed);
	return started;
}

/* ---- under both locks: a script joins ---- */

static bool
refuse(template *self, template_problem *out, const char *name, const char *why)
{
	end_process(self);
	if (asprintf(&out->text, "The process for the script %s: %s", name, why) < 0)
		out->text = NULL;
	return false;
}

static const char *
silence(ssize_t result)
{
	return result == CHANNEL_LATE ? "it took too long to compile"
	                              : "it ended early or gave no proper answer";
}

/* The text of a message, which may be any bytes. */
static char *
take_text(const char *bytes, ssize_t length)
{
	jv text = jv_string_sized(bytes, (int)length);
	char *taken = strdup(jv_string_value(text));

	jv_free(text);
	return taken;
}

/* Starts the process of a new template; false with a problem. */
static bool
start_first(template *self, template_problem *out)
{
	char bytes[CHANNEL_BYTES_MAX];
	int error = process_start(&self->process);
	ssize_t length;

	if (error != 0) {
		snprintf(bytes, sizeof(bytes), "%s: %s", process_program(), strerror(error));
		return refuse(self, out, "cannot be started", bytes);
	}
	length = hear(self, 0, bytes, limen_host_monotonic() + START_NS);
	if (length <= 0)
		return refuse(self, out, "has not started", silence(length));
	if (is_good_greeting(self, bytes, length))
		return true;
	if (length < 3 || bytes[0] != 'G' || bytes[1] != CHANNEL_VERSION)
		return refuse(self, out, "is from another release of limen than the program that "
		                         "starts it: restart that after an "
		                         "upgrade", process_program());
	end_process(self);
	out->text = length > 3 ? take_text(bytes + 3, length - 3)
	                       : strdup("This system, or this build of limen, cannot filter system "
	                                "calls (seccomp), which scripts in a separate process "
	                                "need");
	return false;
}

/* Adds 'script'; false with a problem. */
static bool
add_script(template *self, const template_script *script, template_problem *out)
{
	char bytes[CHANNEL_BYTES_MAX];
	program *grown;
	ssize_t length = CHANNEL_GONE;

	if (self->process.socket < 0 && !start_first(self, out))
		return false;
	grown = realloc(self->programs, (self->count + 1) * sizeof(*grown));
	if (grown == NULL)
		return false;
	self->programs = grown;
	grown[self->count] = (program){ .text = strdup(script->program),
		                        .output_raw = script->output_raw };
	if (grown[self->count].text == NULL)
		return false;
	self->count++;
	if (send_programs(self, self->count - 1))
		length = hear(self, 'C', bytes, limen_host_monotonic() + START_NS);
	if (length == 1)
		return true;
	free(self->programs[--self->count].text);
	if (length <= 0)
		return refuse(self, out, "has not started", silence(length));
	out->is_from_jq = true;
	out->text = take_text(bytes + 1, length - 1);
	return false;
}

/*
 * Under open_lock: the template that 'script' joins, with its lock held, so that it is not
 * sealed before the script is in; NULL when memory is short.
 */
static template *
choose(const template_script *script)
{
	template *open = script->is_alone ? NULL : open_template;
	template *opened;

	if (open != NULL) {
		pthread_mutex_lock(&open->lock);
		forget_parent(open);
		if (!open->is_sealed && open->process.socket >= 0)
			return open;
		pthread_mutex_unlock(&open->lock);
	}
	opened = new_template(script);
	if (opened != NULL)
		pthread_mutex_lock(&opened->lock);
	return opened;
}

template *
template_join(const template_script *script, uint32_t *number, bool *has_filter,
              template_problem *problem)
{
	template *joined;
	bool good = false;

	*problem = (template_problem){ .text = NULL };
	pthread_mutex_lock(&open_lock);
	joined = choose(script);
	if (joined != NULL) {
		joined->is_busy = true;
		good = add_script(joined, script, problem);
		joined->is_busy = false;
		*number = joined->count - 1;
		*has_filter = joined->has_filter;
		pthread_cond_broadcast(&joined->changed);
		pthread_mutex_unlock(&joined->lock);
	}
	if (good) {
		joined->references++;
		if (!script->is_alone)
			open_template = joined;
	} else if (joined != NULL && joined->references == 0) {
		free_template(joined);
	}
	pthread_mutex_unlock(&open_lock);
	return good ? joined : NULL;
}

void
template_leave(template *left, uint32_t number)
{
	bool is_last;

	pthread_mutex_lock(&left->lock);
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

/* ---- workers ---- */

worker *
template_take(template *from, int64_t deadline)
{
	const struct timespec at = { .tv_sec = (time_t)(deadline / 1000000000),
		                     .tv_nsec = (long)(deadline % 1000000000) };
	worker *taken = NULL;
	bool goes_on = true;

	pthread_mutex_lock(&from->lock);
	forget_parent(from);
	while (taken == NULL && goes_on) {
		taken = from->idle;
		if (taken != NULL)
			from->idle = taken->next;
		else if (!from->is_busy && from->workers < WORKERS_MAX)
			taken = make_worker(from, deadline);
		/* If forking fails, wait for another run to return its worker. */
		if (taken == NULL)
			goes_on = (from->is_busy || from->workers > 0) &&
			          pthread_cond_timedwait(&from->changed, &from->lock, &at) == 0;
	}
	pthread_mutex_unlock(&from->lock);
	return taken;
}

void
template_put(template *to, worker *back, bool is_lost)
{
	/* The worker ends before another run is woken: the system may limit processes. */
	if (is_lost)
		worker_end(back);
	pthread_mutex_lock(&to->lock);
	if (is_lost) {
		to->workers--;
	} else {
		back->idle_since = limen_host_monotonic();
		back->next = to->idle;
		to->idle = back;
	}
	pthread_cond_signal(&to->changed);
	pthread_mutex_unlock(&to->lock);
}

bool
template_end_idle(template *self, int64_t time)
{
	worker **at = &self->idle;
	worker *old;
	unsigned others;

	pthread_mutex_lock(&self->lock);
	forget_parent(self);
	while (*at != NULL && (*at)->idle_since >= time)
		at = &(*at)->next;
	old = *at;
	*at = NULL;
	others = self->workers;
	pthread_mutex_unlock(&self->lock);
	for (worker *next; old != NULL; old = next, others--) {
		next = old->next;
		template_put(self, old, true);
	}
	return others > 0;
}
