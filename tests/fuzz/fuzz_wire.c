/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limend and the process of a script say to each other.  The first byte says what the
 * rest is: a value as it is sent; JSON that is to be sent; or what the process answers when
 * it is given a script, or an input, with its length before it or as it is.
 */
#include <limen/documents.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../plugins/support/jq/crowd.h"
#include "../../plugins/support/jq/jq.h"
#include "../../plugins/support/jq/process.h"
#include "../../plugins/support/jq/remote.h"
#include "../../plugins/support/jq/wire.h"
#include "fuzz.h"

const fuzz_target fuzz_this = { "wire", NULL, 20000 };

/* What a socket holds at a time without anybody reading. */
enum { PIECE = 32768 };

/* Of the first byte. */
enum { KIND = 3, VALUE = 0, JSON = 1, ANSWER_TO_SCRIPT = 2, AS_IT_IS = 4, WANTS_ALL = 8 };

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
	in->crowded = in->crowded || (keys && count > CROWD_MAX);
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

/* Equal in every bit: JSON's equality knows no NaN. */
static bool
is_same(jv one, jv other)
{
	text texts[2] = { { .bytes = NULL }, { .bytes = NULL } };
	bool same;

	FUZZ_CHECK(wire_put(&texts[0], jv_copy(one)) && wire_put(&texts[1], jv_copy(other)));
	same = texts[0].length == texts[1].length &&
	       memcmp(texts[0].bytes, texts[1].bytes, texts[0].length) == 0;
	text_free(&texts[0]);
	text_free(&texts[1]);
	return same;
}

/* What was read can be sent, and is read as the same. */
static void
check_again(jv value)
{
	text sent = { .bytes = NULL };
	jv again;

	FUZZ_CHECK(wire_put(&sent, jv_copy(value)));
	again = wire_get(sent.bytes, sent.length);
	FUZZ_CHECK(jv_is_valid(again) && is_same(value, again));
	jv_free(again);
	text_free(&sent);
}

static void
check_value(const uint8_t *data, size_t size)
{
	reader in = { .at = data, .left = size };
	bool good = take_value(&in, 0) && in.left == 0;
	jv value = wire_get((const char *)data, size);
	bool valid = jv_is_valid(value);

	FUZZ_CHECK(!valid || good);
	FUZZ_CHECK(!good || valid || in.crowded);
	if (valid)
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
		text sent = { .bytes = NULL };

		check_again(value);
		FUZZ_CHECK(wire_put(&sent, jv_copy(value)));
		/* Nothing less than a message is one. */
		shorter = wire_get(sent.bytes, sent.length - 1);
		FUZZ_CHECK(!jv_is_valid(shorter));
		jv_free(shorter);
		text_free(&sent);
	}
	jv_free(value);
	limen_documents_free(read);
}

/* ---- a process ---- */

static int theirs = -1; /* the process' end of the socket */

/* What it says to its script. */
static const uint8_t *first;
static size_t first_size;
static bool first_framed;
static bool first_stays;

static void
say(const uint8_t *bytes, size_t size, bool framed)
{
	uint32_t length = (uint32_t)size;

	if (framed)
		FUZZ_CHECK(send(theirs, &length, sizeof length, 0) == (ssize_t)sizeof length);
	FUZZ_CHECK(send(theirs, bytes, size, 0) == (ssize_t)size);
}

int __wrap_process_start(process *made);
void __wrap_process_end(process *one);

int
__wrap_process_start(process *made)
{
	int ends[2];

	FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	*made = (process){ .socket = ends[0], .pidfd = -1, .owner = getpid() };
	theirs = ends[1];
	say(first, first_size, first_framed);
	/* Whoever does not say that it is ready says nothing more. */
	if (!first_stays)
		shutdown(theirs, SHUT_WR);
	return 0;
}

void
__wrap_process_end(process *one)
{
	close(one->socket);
}

static remote *
start(const uint8_t *data, size_t size, bool framed, bool stays, jv *problem)
{
	static const remote_script script = { .program = ".", .timeout = 1000000000 };

	first = data;
	first_size = size;
	first_framed = framed;
	first_stays = stays;
	return remote_new(&script, INT64_MAX, problem);
}

/* Is it what a message of one value holds?  Stores the value. */
static bool
read_message(const uint8_t *data, size_t size, bool framed, jv *value)
{
	uint32_t length = (uint32_t)size;

	if (!framed && size < sizeof length) {
		*value = jv_invalid();
		return false;
	}
	if (!framed) {
		memcpy(&length, data, sizeof length);
		data += sizeof length;
		size -= sizeof length;
	}
	*value = length == size ? wire_get((const char *)data, size) : jv_invalid();
	return jv_is_valid(*value);
}

static bool
is_text_or_messages(jv value)
{
	bool good = jv_get_kind(value) == JV_KIND_STRING || jv_get_kind(value) == JV_KIND_ARRAY;

	for (int i = 0; jv_get_kind(value) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(value));
	     i++) {
		jv element = jv_array_get(jv_copy(value), i);

		good = good && jv_get_kind(element) == JV_KIND_STRING;
		jv_free(element);
	}
	return good;
}

/* It runs if it says so, and else there is a text that says why not. */
static void
check_script(const uint8_t *data, size_t size, bool framed)
{
	jv said;
	jv problem;
	bool good;
	remote *made;

	read_message(data, size, framed, &said);
	good = jv_get_kind(said) == JV_KIND_TRUE;
	made = start(data, size, framed, false, &problem);
	FUZZ_CHECK((made != NULL) == good);
	FUZZ_CHECK(good || is_text_or_messages(problem));
	FUZZ_CHECK(good || !is_text_or_messages(said) || is_same(said, problem));
	jv_free(said);
	jv_free(problem);
	remote_free(made);
	close(theirs);
}

static void
check_result(jv answer, bool wants_all)
{
	jv outcome = jv_array_get(jv_copy(answer), 0);
	jv error = jv_array_get(jv_copy(answer), 1);
	int count = jv_array_length(jv_array_get(jv_copy(answer), 2));

	FUZZ_CHECK(jv_array_length(jv_copy(answer)) == 3);
	FUZZ_CHECK(jv_get_kind(outcome) == JV_KIND_NUMBER);
	FUZZ_CHECK(jv_get_kind(error) == JV_KIND_STRING || jv_get_kind(error) == JV_KIND_NULL);
	FUZZ_CHECK(wants_all || count <= 1);
	FUZZ_CHECK(jv_number_value(outcome) == JQ_FAILED || jv_number_value(outcome) == JQ_VALUE ||
	           jv_number_value(outcome) == JQ_NOTHING);
	FUZZ_CHECK(jv_number_value(outcome) != JQ_VALUE || count > 0);
	jv_free(outcome);
	jv_free(error);
}

static void
check_answer(const uint8_t *data, size_t size, bool framed, bool wants_all)
{
	static const uint8_t ready[] = "t";
	const remote_run run = { .input = jv_null(), .hints = jv_invalid(), .wants_all = wants_all,
		                 .deadline = INT64_MAX, .kill_at = INT64_MAX };
	jv answer, said, problem;
	remote *made = start(ready, 1, true, true, &problem);

	FUZZ_CHECK(made != NULL);
	say(data, size, framed);
	shutdown(theirs, SHUT_WR);
	if (remote_ask(made, &run, &answer) == CHANNEL_OK) {
		check_result(answer, wants_all);
		FUZZ_CHECK(read_message(data, size, framed, &said) && is_same(said, answer));
		jv_free(said);
	}
	jv_free(answer);
	jv_free(problem);
	remote_free(made);
	close(theirs);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool framed;

	if (size == 0 || size > PIECE)
		return 0;
	framed = (data[0] & AS_IT_IS) == 0;
	switch (data[0] & KIND) {
	case VALUE:
		check_value(data + 1, size - 1);
		break;
	case JSON:
		check_json(data + 1, size - 1);
		break;
	case ANSWER_TO_SCRIPT:
		check_script(data + 1, size - 1, framed);
		break;
	default:
		check_answer(data + 1, size - 1, framed, (data[0] & WANTS_ALL) != 0);
		break;
	}
	return 0;
}
