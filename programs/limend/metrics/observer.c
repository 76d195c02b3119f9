/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observer.c - caches the description of the policy and the metrics of its instances and of the
 * process for one second.  A thread renews both on request; a caller waits at most 100 ms.  Owns
 * the thread, its mutex, its condition variables and the cached texts.
 */
#include "observer.h"

#include <limen/documents.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "../common/auto.h"
#include "base/log.h"

#define FRESH ((int64_t)1000000000)
/* How long a caller waits for new texts, in nanoseconds. */
#define PATIENCE ((int64_t)100000000)

struct observer {
	limen_engine *engine;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_cond_t seen;
	bool wanted;
	bool stopping;
	bool unreadable; /* the last description was too large, which was logged */
	int64_t looked; /* limen_host_monotonic() when the last look began */
	uint64_t looks;
	char *texts[SIGHTS]; /* NULL before the first look */
};

/* Renews 'texts'; false if the description is too large to be parsed. */
static bool
look(limen_engine *engine, char *texts[SIGHTS])
{
	size_t length = 0;
	g_auto(heap_text) json = limen_engine_describe(engine, LIMEN_JSON_PRETTY, &length);
	g_autoptr(limen_documents) parsed = NULL;
	GString *samples = g_string_new(NULL);
	int result = LIMEN_OK;

	/* The description has no size limit, but the parser has one. */
	if (json != NULL)
		result = limen_documents_parse("policy.json", json, length, 0, &parsed, NULL);
	instance_metrics_write(limen_documents_get(parsed, 0), samples);
	process_metrics_write(samples);
	texts[SIGHT_METRICS] = g_string_free(samples, FALSE);
	texts[SIGHT_POLICY] = g_strdup(json == NULL ? "{}" : json);
	return result != LIMEN_EINVAL;
}

static void *
watch(void *data)
{
	observer *self = data;

	pthread_mutex_lock(&self->lock);
	while (!self->stopping) {
		char *texts[SIGHTS];
		bool readable;

		if (!self->wanted) {
			pthread_cond_wait(&self->wake, &self->lock);
			continue;
		}
		self->looked = limen_host_monotonic();
		pthread_mutex_unlock(&self->lock);
		readable = look(self->engine, texts);
		pthread_mutex_lock(&self->lock);
		for (int i = 0; i < SIGHTS; i++) {
			g_free(self->texts[i]);
			self->texts[i] = texts[i];
		}
		if (!readable && !self->unreadable)
			log_line(LIMEN_LOG_WARNING, NULL,
			         "the description of the policy is too large: /metrics has nothing "
			         "of its entries");
		self->unreadable = !readable;
		self->looks++;
		self->wanted = false;
		pthread_cond_broadcast(&self->seen);
	}
	pthread_mutex_unlock(&self->lock);
	return NULL;
}

observer *
observer_new(limen_engine *engine)
{
	observer *self = g_new0(observer, 1);

	self->engine = engine;
	pthread_mutex_init(&self->lock, NULL);
	pthread_cond_init(&self->wake, NULL);
	pthread_cond_init(&self->seen, NULL);
	if (pthread_create(&self->thread, NULL, watch, self) != 0)
		g_error("cannot start a thread");
	return self;
}

void
observer_free(observer *self)
{
	if (self == NULL)
		return;
	pthread_mutex_lock(&self->lock);
	self->stopping = true;
	pthread_cond_signal(&self->wake);
	pthread_mutex_unlock(&self->lock);
	pthread_join(self->thread, NULL);
	pthread_cond_destroy(&self->wake);
	pthread_cond_destroy(&self->seen);
	pthread_mutex_destroy(&self->lock);
	for (int i = 0; i < SIGHTS; i++)
		g_free(self->texts[i]);
	g_free(self);
}

/* Requests a new look and waits for it, PATIENCE at most; lock held. */
static void
refresh(observer *self)
{
	int64_t until = limen_host_monotonic() + PATIENCE;
	struct timespec end = { .tv_sec = (time_t)(until / 1000000000),
		                .tv_nsec = (long)(until % 1000000000) };
	uint64_t before = self->looks;
	int result = 0;

	self->wanted = true;
	pthread_cond_signal(&self->wake);
	while (self->looks == before && result == 0)
		result = pthread_cond_clockwait(&self->seen, &self->lock, CLOCK_MONOTONIC, &end);
}

bool
observer_show(observer *self, sight kind, GString *out)
{
	bool any;

	pthread_mutex_lock(&self->lock);
	if (self->looks == 0 || limen_host_monotonic() - self->looked > FRESH)
		refresh(self);
	any = self->looks > 0;
	if (any)
		g_string_append(out, self->texts[kind]);
	pthread_mutex_unlock(&self->lock);
	return any;
}
