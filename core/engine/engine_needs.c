/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_needs.c - what policies read of HTTP requests.  Keeps each different list until the engine
 * is freed, so that servers compare pointers, and use them while policies are replaced.
 */
#include <string.h>

#include "engine.h"

typedef struct shared_needs {
	struct shared_needs *next;
	limen_http_needs needs;
} shared_needs;

static bool
is_same(const limen_http_needs *a, const limen_http_needs *b)
{
	size_t i = 0;

	while (a->headers[i] != NULL && b->headers[i] != NULL &&
	       strcmp(a->headers[i], b->headers[i]) == 0)
		i++;
	return a->headers[i] == b->headers[i] && a->parts == b->parts && a->fields == b->fields;
}

/* Copies 'own' into the memory of the engine; NULL: no memory. */
static shared_needs *
keep(limen_engine *engine, const limen_http_needs *own)
{
	shared_needs *copy = arena_alloc(&engine->memory, sizeof(*copy));
	const char **names;
	size_t count = 0;

	while (own->headers[count] != NULL)
		count++;
	names = arena_calloc(&engine->memory, count + 1, sizeof(*names));
	if (copy == NULL || names == NULL)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		names[i] = arena_strdup(&engine->memory, own->headers[i]);
		if (names[i] == NULL)
			return NULL;
	}
	*copy = (shared_needs){ engine->needs, *own };
	copy->needs.headers = names;
	engine->needs = copy;
	return copy;
}

bool
engine_share_needs(limen_engine *engine, policy *made)
{
	shared_needs *known = engine->needs;

	while (known != NULL && !is_same(&known->needs, &made->needs))
		known = known->next;
	if (known == NULL)
		known = keep(engine, &made->needs);
	if (known == NULL)
		return false;
	made->shared_needs = &known->needs;
	return true;
}

const limen_http_needs *
limen_engine_http_needs(limen_engine *engine)
{
	policy_reader *reader;
	policy *held = engine == NULL ? NULL : engine_hold(engine, &reader);
	const limen_http_needs *needs = held == NULL ? NULL : held->shared_needs;

	if (engine != NULL)
		engine_release(held, reader);
	return needs;
}
