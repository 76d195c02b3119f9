/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c - makes connections on a worker, and decides when the next attempt is due. */
#include "reach.h"

#include <stdio.h>
#include <string.h>

/* From one failed attempt to the next: doubled each time. */
#define DELAY_LEAST (LIMEN_SECOND / 10)
#define DELAY_DOUBLINGS 5

/* A connection that ends earlier has come to nothing.  Redis' own 'timeout' is longer. */
#define LASTING INT64_C(1000000000)

static void try_now(void *data);

void
reach_open(reach *one, limen_host *host, const place *where, limen_duration timeout)
{
	*one = (reach){ .host = host, .where = where, .timeout = timeout };
	pthread_mutex_init(&one->lock, NULL);
}

void
reach_close(reach *one)
{
	pthread_mutex_destroy(&one->lock);
}

static bool
wants_more(const reach *one)
{
	return one->seeker.wants(one->seeker.data);
}

static limen_duration
delay_after(unsigned attempts)
{
	if (attempts == 0)
		return 0;
	return DELAY_LEAST << (attempts > DELAY_DOUBLINGS ? DELAY_DOUBLINGS : attempts - 1);
}

/* The caller has the lock. */
static void
schedule(reach *one)
{
	bool accepted = limen_host_after_blocking(one->host, delay_after(one->attempts),
	                                          try_now, one) == LIMEN_OK;

	atomic_store(&one->working, accepted);
}

bool
reach_start(reach *one)
{
	bool working;

	/* Every take that finds no connection comes by here. */
	if (atomic_load_explicit(&one->working, memory_order_relaxed))
		return true;
	pthread_mutex_lock(&one->lock);
	if (!atomic_load(&one->working))
		schedule(one);
	working = atomic_load(&one->working);
	pthread_mutex_unlock(&one->lock);
	return working;
}

static void
lose(reach *one, const char *why, bool doubtful)
{
	bool first;

	pthread_mutex_lock(&one->lock);
	first = one->error[0] == '\0';
	atomic_store(&one->losing, true);
	if (doubtful)
		atomic_store(&one->doubted, true);
	snprintf(one->error, sizeof(one->error), "%s", why);
	pthread_mutex_unlock(&one->lock);
	if (!first)
		return;
	limen_host_count(one->host, "losses", 1);
	limen_host_log(one->host, LIMEN_LOG_WARNING, "Redis is away: %s: %s", one->where->shown,
	               why);
}

bool
reach_lost(reach *one, const wire *failed, bool asked)
{
	bool lasted = limen_host_monotonic() - failed->made >= LASTING;
	bool quiet = lasted && !asked && !failed->unsound;
	bool good = quiet || (lasted && failed->wrote);

	if (good) {
		pthread_mutex_lock(&one->lock);
		one->attempts = 0;
		pthread_mutex_unlock(&one->lock);
	}
	if (!quiet)
		lose(one, failed->error, failed->unsound || !good);
	return !quiet;
}

/* Ends a loss, unless Redis is still to prove that it is back. */
static void
come_back(reach *one, bool proven)
{
	bool back;

	pthread_mutex_lock(&one->lock);
	back = one->error[0] != '\0' && (proven || !atomic_load(&one->doubted));
	if (back) {
		one->error[0] = '\0';
		atomic_store(&one->doubted, false);
	}
	pthread_mutex_unlock(&one->lock);
	if (back)
		limen_host_log(one->host, LIMEN_LOG_INFO, "Redis is there again: %s",
		               one->where->shown);
}

void
reach_wrote(reach *one, wire *by)
{
	by->wrote = true;
	/* Every grant comes by here. */
	if (atomic_load_explicit(&one->doubted, memory_order_relaxed))
		come_back(one, true);
}

static void
report_found(reach *one, const wire *made)
{
	come_back(one, false);
	/* A bucket that is thrown out is taken for a full one. */
	if (strcmp(made->policy, "noeviction") != 0 && !one->evicts_noted)
		limen_host_log(one->host, LIMEN_LOG_WARNING,
		               "Redis may throw out buckets when its memory is full: its "
		               "maxmemory-policy is %s and should be noeviction", made->policy);
	one->evicts_noted = true;
}

/* Returns false if nobody wants a connection any more, or none can be had now. */
static bool
get_one(reach *one)
{
	const seeker *who = &one->seeker;
	char why[160];
	wire *made;

	if (!wants_more(one) || limen_host_stopping(one->host))
		return false;
	made = wire_open(one->where, limen_host_monotonic() + one->timeout * 1000, one->host, why,
	                 sizeof(why));
	if (made == NULL) {
		if (limen_host_stopping(one->host))
			return false;
		lose(one, why, false);
		if (who->miss != NULL)
			who->miss(who->data);
		return false;
	}
	report_found(one, made);
	who->adopt(who->data, made);
	return true;
}

/* Who begins to want something in between has either been seen here or starts a new job. */
static void
try_now(void *data)
{
	reach *one = data;

	/* Where connections are lost as fast as they are made, the next ones have time. */
	atomic_store(&one->losing, false);
	while (!atomic_load(&one->losing) && get_one(one))
		;
	limen_host_set_ready(one->host, true);
	pthread_mutex_lock(&one->lock);
	atomic_store(&one->working, false);
	one->attempts++;
	if (wants_more(one) && !limen_host_stopping(one->host))
		schedule(one);
	pthread_mutex_unlock(&one->lock);
}

bool
reach_error(reach *one, char *out, size_t size)
{
	pthread_mutex_lock(&one->lock);
	snprintf(out, size, "%s", one->error);
	pthread_mutex_unlock(&one->lock);
	return out[0] != '\0';
}
