/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.c - see lookup.h. */
#include "lookup.h"

#include <stdatomic.h>
#include <stdlib.h>

struct lookup {
	atomic_uint references; /* of the request, and of the job */
	atomic_bool ended;
	limen_waker *waker;
};

static const char lookup_key;

static void
unref(void *data)
{
	struct lookup *lookup = data;

	if (atomic_fetch_sub(&lookup->references, 1) == 1)
		free(lookup);
}

static void
end(void *data)
{
	struct lookup *lookup = data;

	atomic_store(&lookup->ended, true);
	limen_waker_wake(lookup->waker);
	unref(lookup);
}

static struct lookup *
start(const struct lookup_options *options, const limen_request *req)
{
	struct lookup *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	atomic_init(&made->references, options->delay == 0 ? 1 : 2);
	made->waker = limen_request_waker(req);
	if (options->delay == 0)
		limen_waker_wake(made->waker);
	else
		limen_host_after(options->host, options->delay, end, made);
	limen_request_attach(req, &lookup_key, made, unref);
	return made;
}

bool
lookup_is_over(const struct lookup_options *options, const limen_request *req, bool *found)
{
	struct lookup *lookup = limen_request_attachment(req, &lookup_key);
	limen_deadline end_of_patience = limen_request_patience(req, options->timeout);

	if (lookup == NULL)
		lookup = start(options, req);
	*found = lookup != NULL && atomic_load(&lookup->ended);
	return *found || limen_host_monotonic() >= end_of_patience;
}
