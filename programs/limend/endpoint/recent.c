/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recent.c - GET /v1/recent: lists the newest decisions that were not admitted, a sample of those that
 * were, and counts by namespace and requester.  They name people, so only trusted peers may ask.
 */
#include "audit/recent.h"

#include <string.h>

#include "../common/json_out.h"
#include "endpoint.h"
#include "http/arguments.h"

#define NUMBER 100

/* Reads an argument that is a number of 'least' at least; without it '*out' stays. */
static bool
read_number(const arguments *all, const char *name, guint64 least, uint64_t *out, fault *why)
{
	const char *text = arguments_find(all, name);
	guint64 number = 0;

	if (text == NULL)
		return true;
	if (!g_ascii_string_to_unsigned(text, 10, least, G_MAXINT64, &number, NULL))
		return fault_set(why, 400, "The argument '%s' must be a number of at least %d, not '%.100s'",
		                 name, (int)least, text);
	*out = number;
	return true;
}

static bool
read_filter(const arguments *all, recent_filter *out, fault *why)
{
	/* The texts of a filter stand first, in their order. */
	static const char *const known[] = { "verdict", "namespace", "entry", "user", "since",
		                             "number", NULL };
	uint64_t number = NUMBER;
	const char *verdict = arguments_find(all, known[RECENT_VERDICT]);
	bool good = verdict == NULL;

	if (!arguments_check(all, known, why))
		return false;
	for (size_t i = 0; i < RECENT_TEXTS; i++)
		out->texts[i] = arguments_find(all, known[i]);
	for (size_t i = 0; i < RECORD_OUTCOMES && !good; i++)
		good = strcmp(verdict, record_outcomes[i]) == 0;
	if (!good)
		return fault_set(why, 400, "The argument 'verdict' must be refused, would-refuse, "
		                           "error or admitted, not '%.100s'", verdict);
	if (!read_number(all, "since", 0, &out->since, why) ||
	    !read_number(all, "number", 1, &number, why))
		return false;
	out->number = (size_t)number;
	return true;
}

bool
answer_recent(service *shared, const http_request *request, http_response *response, fault *why)
{
	const char *accept = NULL;
	recent_filter filter = { .since = 0 };

	if (!request->peer.trusted)
		return fault_set(why, 403, "Kept decisions are only for trusted clients: the unix socket, "
		                           "a client certificate, an address of --trust-hints-from");
	if (!read_filter(&request->arguments, &filter, why))
		return false;
	if (shared->decider.recent == NULL)
		return fault_set(why, 404, "No decisions are kept (--recent 0)");
	if (!http_field(request, "Accept", &accept, why))
		return false;
	if (accept != NULL && strstr(accept, "text/event-stream") != NULL)
		return recent_follow(shared->decider.recent, &filter, response) ||
		       fault_set(why, 503, "%d clients follow already", RECENT_FOLLOWERS);
	json_write(response->body, "{replica:s", g_get_host_name());
	if (shared->decider.history != NULL) {
		json_key(response->body, "rates");
		history_write_rates(shared->decider.history, response->body);
	}
	recent_write(shared->decider.recent, &filter, response->body);
	g_string_append(response->body, "}\n");
	return true;
}
