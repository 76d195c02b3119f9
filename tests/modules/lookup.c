/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.c - see lookup.h. */
#include "lookup.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

const limen_option lookup_options[] = {
	LIMEN_OPT_DURATION(struct lookup, delay, .key = "delay",
	                   .help = "How long the lookup takes; 0: for ever"),
	LIMEN_OPT_DURATION(struct lookup, timeout, .key = "timeout", .fallback = "PT60S",
	                   .help = "How long to wait"),
	LIMEN_OPT_DURATION(struct lookup, sleep, .key = "sleep",
	                   .help = "How long the call lasts that finds the end of the lookup"),
	LIMEN_OPT_END
};

struct search {
	atomic_uint references; /* of the request, and of the job */
	atomic_bool ended;
	unsigned asked;
	limen_waker *waker;
};

int
lookup_open(void *self, limen_opening *opening, limen_diag *diag)
{
	struct lookup *lookup = self;

	(void)diag;
	lookup->host = limen_opening_host(opening);
	return LIMEN_OK;
}

static void
unref(void *data)
{
	struct search *search = data;

	if (atomic_fetch_sub(&search->references, 1) == 1)
		free(search);
}

static void
end(void *data)
{
	struct search *search = data;

	atomic_store(&search->ended, true);
	limen_waker_wake(search->waker);
	unref(search);
}

static struct search *
start(const struct lookup *self, const limen_request *req)
{
	struct search *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	atomic_init(&made->references, 1);
	if (limen_request_attach(req, self, made, unref) != LIMEN_OK)
		return NULL;
	made->waker = limen_request_waker(req);
	atomic_fetch_add(&made->references, self->delay > 0);
	if (self->delay == 0)
		limen_waker_wake(made->waker);
	else if (limen_host_after(self->host, self->delay, end, made) != LIMEN_OK)
		end(made);
	return made;
}

bool
lookup_is_over(const struct lookup *self, const limen_request *req, bool *found, unsigned *asked)
{
	struct search *search = limen_request_attachment(req, self);
	limen_deadline end_of_patience = limen_request_patience(req, self->timeout);

	if (search == NULL)
		search = start(self, req);
	*found = search != NULL && atomic_load(&search->ended);
	if (*found)
		usleep((useconds_t)self->sleep);
	if (search != NULL && asked != NULL)
		*asked = ++search->asked;
	return *found || limen_host_monotonic() >= end_of_patience;
}
