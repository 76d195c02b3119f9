/* SPDX-License-Identifier: Apache-2.0 */
/* native.c - tells the calls of guards (guards.c) from what scripts print for debugging. */
#include "native.h"

#include <string.h>

#include "extent.h"
#include "guards.h"
#include "jq.h"
#include "pairs.h"

void
native_init(native *made)
{
	*made = (native){ .answer = jv_null(), .hints = jv_invalid() };
}

void
native_free(native *freed)
{
	regex_forget(&freed->patterns);
	jv_free(freed->answer);
	jv_free(freed->hints);
}

/* Anybody may write such an array: is it one with all of its 'length' elements? */
static bool
is_call(jv message, const char *name, int length)
{
	jv first;
	bool same;

	if (jv_get_kind(message) != JV_KIND_ARRAY || jv_array_length(jv_copy(message)) != length)
		return false;
	first = jv_array_get(jv_copy(message), 0);
	same = jv_get_kind(first) == JV_KIND_STRING && strcmp(jv_string_value(first), name) == 0;
	jv_free(first);
	return same;
}

/* The hint that 'call', [NAME, HINT], asks for; consumed. */
static jv
find_hint(const native *self, jv call)
{
	jv name = jv_array_get(call, 1);
	jv hints = self->req == NULL ? jv_copy(self->hints) : jq_hints(self->req);
	jv hint;

	if (jv_get_kind(name) != JV_KIND_STRING || jv_get_kind(hints) != JV_KIND_OBJECT) {
		jv_free(name);
		jv_free(hints);
		return jv_null();
	}
	hint = jv_object_get(hints, name);
	if (jv_is_valid(hint))
		return hint;
	jv_free(hint);
	return jv_null();
}

/* The answer to 'call', [NAME, A, B]; consumed. */
static jv
ask_pair(jv call, bool (*may)(jv a, jv b))
{
	jv a = jv_array_get(jv_copy(call), 1);
	jv b = jv_array_get(call, 2);
	bool good = may(a, b);

	jv_free(a);
	jv_free(b);
	return jv_bool(good);
}

static jv
ask_fits(jv call)
{
	jv value = jv_array_get(call, 1);
	bool good = extent_fits(value);

	jv_free(value);
	return jv_bool(good);
}

static void
keep_answer(native *self, jv answer)
{
	jv_free(self->answer);
	self->answer = answer;
	self->is_answered = true;
}

void
native_hear(native *self, jv message, watchdog_run *run)
{
	if (is_call(message, GUARDS_HALT, 1)) {
		watchdog_halt(run);
		jv_free(message);
	} else if (is_call(message, GUARDS_MATCH, 5)) {
		keep_answer(self, regex_match(&self->patterns, message, run->deadline));
	} else if (is_call(message, GUARDS_HINT, 2)) {
		keep_answer(self, find_hint(self, message));
	} else if (is_call(message, GUARDS_FITS, 2)) {
		keep_answer(self, ask_fits(message));
	} else if (is_call(message, GUARDS_COMPARE, 3)) {
		keep_answer(self, ask_pair(message, pairs_may_compare));
	} else if (is_call(message, GUARDS_CONTAIN, 3)) {
		keep_answer(self, ask_pair(message, pairs_may_contain));
	} else {
		jv_free(message);
	}
}

/* Between runs, which are on different threads, nothing of a request may stay. */
void
native_reset(native *self, const limen_request *req, jv hints)
{
	jv_free(self->answer);
	self->answer = jv_null();
	self->is_answered = false;
	self->req = req;
	jv_free(self->hints);
	self->hints = jv_copy(hints);
}

/* There is one input; jq 1.7 without a callback says "break" (perfSONAR 5.2 has 1.7.1). */
jv
native_answer(native *self)
{
	jv answer = self->answer;

	if (!self->is_answered)
		return jv_invalid_with_msg(jv_string("break"));
	self->is_answered = false;
	self->answer = jv_null();
	return answer;
}
