/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limen and a worker say to each other.  The first byte says what the rest is: a value as
 * it is sent; JSON that is to be sent; or the reply of a worker to a run.
 */
#include <limen/documents.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../plugins/support/jq/jq.h"
#include "../../plugins/support/jq/worker/template.h"
#include "fuzz.h"

const fuzz_target fuzz_this = { "wire", NULL, 20000 };

enum { PIECE = 32768 };

/* Keys that may all be in one chain (budget.c). */
enum { CHAIN_MAX = 64 };

/* Of the first byte. */
enum { KIND = 3, VALUE = 0, JSON = 1, WANTS_ALL = 8 };

/* ---- another reader of the same bytes ---- */

typedef struct reader {
	const uint8_t *at;
	size_t left;
	bool crowded; /* an object has so many keys that they may be refused */
} reader;

static bool
take(reader *in, size_t length)
{
	if (length > in->left)
		return false;
	in->at += length;
	in->left -= length;
	return true;
}

static bool
take_count(reader *in, uint32_t *count)
{
	const uint8_t *at = in->at;

	if (!take(in, 4))
		return false;
	memcpy(count, at, sizeof *count);
	return true;
}

static bool
take_string(reader *in)
{
	uint32_t length;

	return take_count(in, &length) && take(in, length);
}

static bool take_value(reader *in, unsigned depth);

static bool
take_all(reader *in, bool keys, unsigned depth)
{
	uint32_t count;

	if (!take_count(in, &count))
		return false;
	in->crowded = in->crowded || (keys && count > CHAIN_MAX);
	for (; count > 0; count--) {
		if (keys && (in->left == 0 || *in->at != 's' || !take(in, 1) || !take_string(in)))
			return false;
		if (!take_value(in, depth + 1))
			return false;
	}
	return true;
}

/* As deep as documents can be, and eight levels of a message (wire.c). */
static bool
take_value(reader *in, unsigned depth)
{
	char kind = in->left == 0 ? '\0' : (char)*in->at;

	if (depth > 2008 || !take(in, 1))
		return false;
	switch (kind) {
	case 'n':
	case 't':
	case 'f':
		return true;
	case 'd':
		return take(in, sizeof(double));
	case 's':
		return take_string(in);
	case 'a':
	case 'o':
		return take_all(in, kind == 'o', depth);
	default:
		return false;
	}
}

/* ---- values ---- */

static char texts[2][WIRE_BYTES_MAX];

static size_t
write_value(char *bytes, jv value)
{
	wire_out out = { .bytes = bytes, .room = WIRE_BYTES_MAX };

	FUZZ_CHECK(wire_put(&out, jv_copy(value), false) == NULL);
	return out.length;
}

static jv
read_value(const char *bytes, size_t length)
{
	wire_in in = { .at = bytes, .left = length, .budget = budget_start(1) };
	jv value = wire_value(&in);

	if (in.left == 0)
		return value;
	jv_free(value);
	return jv_invalid();
}

/* Equal in every bit: JSON's equality knows no NaN. */
static bool
is_same(jv one, jv other)
{
	size_t length = write_value(texts[0], one);

	return length == write_value(texts[1], other) && memcmp(texts[0], texts[1], length) == 0;
}

/* What was read can be sent, and is read as the same. */
static void
check_again(jv value)
{
	jv again = read_value(texts[0], write_value(texts[0], value));

	FUZZ_CHECK(jv_is_valid(again) && is_same(value, again));
	jv_free(again);
}

static void
check_value(const uint8_t *data, size_t size)
{
	reader in = { .at = data, .left = size };
	bool good = take_value(&in, 0) && in.left == 0;
	jv value = read_value((const char *)data, size);
	bool valid = jv_is_valid(value);

	FUZZ_CHECK(!valid || good);
	FUZZ_CHECK(!good || valid || in.crowded);
	/* A value may be a little deeper than an output. */
	if (valid && size < BUDGET_DEPTH)
		check_again(value);
	jv_free(value);
}

static void
check_json(const uint8_t *data, size_t size)
{
	limen_documents *read = NULL;
	jv value;

	if (limen_documents_parse("value.json", (const char *)data, size, 0, &read, NULL) != LIMEN_OK)
		return;
	value = jq_from_value(limen_documents_get(read, 0));
	if (jv_is_valid(value)) {
		jv shorter;

		check_again(value);
		/* Nothing less than a value is one. */
		shorter = read_value(texts[0], write_value(texts[0], value) - 1);
		FUZZ_CHECK(!jv_is_valid(shorter));
		jv_free(shorter);
	}
	jv_free(value);
	limen_documents_free(read);
}

/* ---- a worker ---- */

static const uint8_t *reply;
static size_t reply_size;

template *__wrap_template_join(const template_script *script, uint32_t *number, bool *has_filter,
                               template_problem *problem);
void __wrap_template_leave(template *left, uint32_t number);
worker *__wrap_template_take(template *from, limen_deadline deadline);
void __wrap_template_put(template *to, worker *back, bool is_lost);
ssize_t __wrap_worker_ask(worker *self, limen_deadline deadline);

template *
__wrap_template_join(const template_script *script, uint32_t *number, bool *has_filter,
                     template_problem *problem)
{
	(void)script;
	(void)problem;
	*number = 0;
	*has_filter = true;
	return (template *)&reply;
}

void
__wrap_template_leave(template *left, uint32_t number)
{
	(void)left;
	(void)number;
}

worker *
__wrap_template_take(template *from, limen_deadline deadline)
{
	static worker *made;
	int fds[2];

	(void)from;
	(void)deadline;
	if (made == NULL)
		made = worker_new(fds);
	return made;
}

void
__wrap_template_put(template *to, worker *back, bool is_lost)
{
	(void)to;
	(void)back;
	FUZZ_CHECK(!is_lost);
}

ssize_t
__wrap_worker_ask(worker *self, limen_deadline deadline)
{
	(void)deadline;
	memcpy(self->shared->bytes, reply, reply_size);
	atomic_store(&self->shared->length, (unsigned)reply_size);
	return 1;
}

static void
count_output(jv output, void *data)
{
	int *count = data;

	FUZZ_CHECK(jv_is_valid(output));
	++*count;
	jv_free(output);
}

static void
check_outcome(jq_outcome outcome, bool has_value, const char *error)
{
	FUZZ_CHECK(outcome == JQ_FAILED || outcome == JQ_VALUE || outcome == JQ_NOTHING);
	FUZZ_CHECK(has_value == (outcome == JQ_VALUE));
	FUZZ_CHECK(outcome == JQ_FAILED || error == NULL);
}

static void
check_reply(const uint8_t *data, size_t size, bool wants_all)
{
	static jq_script *script;
	const jq_setup setup = { .timeout = 60 * LIMEN_SECOND };
	const limen_transform transform = { .script = "." };

	if (script == NULL)
		FUZZ_CHECK(jq_script_open(&setup, &transform, NULL, NULL, &script) == LIMEN_OK);
	reply = data;
	reply_size = size;
	if (wants_all) {
		int count = 0;
		char *error = NULL;
		jq_outcome outcome = jq_run_each(script, jv_null(), INT64_MAX, count_output,
		                                 &count, &error);

		check_outcome(outcome, count > 0, error);
		free(error);
	} else {
		jq_result result;

		jq_run(script, jv_null(), INT64_MAX, &result);
		check_outcome(result.outcome, jv_is_valid(result.value), result.error);
		jq_result_clear(&result);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > PIECE)
		return 0;
	if ((data[0] & KIND) == VALUE)
		check_value(data + 1, size - 1);
	else if ((data[0] & KIND) == JSON)
		check_json(data + 1, size - 1);
	else
		check_reply(data + 1, size - 1, (data[0] & WANTS_ALL) != 0);
	return 0;
}
