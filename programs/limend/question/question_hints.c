/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_hints.c - sets the hints of a question: requester and server are the addresses of the
 * connection, unless a trusted sender gives others.
 */
#include "../common/hints.h"
#include "question.h"

static bool
set_hint(limen_request *req, const char *name, const char *value)
{
	return value == NULL || limen_request_set_hint(req, name, value) == LIMEN_OK;
}

bool
question_set_hints(const question_sender *sender, limen_request *req, limen_value hints,
                   fault *why)
{
	if (limen_value_exists(hints) && limen_value_type(hints) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'hints' must be an object");
	if (!set_hint(req, "requester", sender->peer->address) ||
	    !set_hint(req, "server", sender->peer->local) ||
	    (limen_value_exists(hints) && !hints_add(req, hints)))
		return fault_memory(why);
	return true;
}
