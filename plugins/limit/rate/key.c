/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.c - reading a key.  Every part stands in it as a letter that tells what it
 * is, its length, a colon and its bytes, so that where one ends never depends on
 * what the requester put into it.
 */
#include "key.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/network.h"
#include "../../support/requester.h"

/* How much of one part is shown. */
#define PART_SHOWN 48

/* A letter, a number of 64 bits and a colon. */
#define HEAD_MAX 22

/* The letters keep a number, a text of the same digits and an absent value apart. */
enum {
	TAG_ABSENT = '-',
	TAG_TEXT = 's',
	TAG_NUMBER = 'n',
	TAG_JSON = 'j',
	TAG_HASH = 'h'
};

/* The SHA-256 of a text, as digits. */
typedef struct digest {
	char text[2 * SHA256_DIGEST_SIZE + 1];
} digest;

static digest
digest_of(const char *text, size_t length)
{
	struct sha256_ctx context;
	uint8_t hash[SHA256_DIGEST_SIZE];
	digest out;

	sha256_init(&context);
	sha256_update(&context, length, (const uint8_t *)text);
	sha256_digest(&context, sizeof(hash), hash);
	for (size_t i = 0; i < sizeof(hash); i++)
		snprintf(out.text + 2 * i, 3, "%02x", hash[i]);
	return out;
}

/* Copies the bytes and returns where the next ones go. */
static char *
put(char *end, const char *text, size_t length)
{
	memcpy(end, text, length);
	return end + length;
}

/* Writes a number backwards, to 'end'; returns where it begins. */
static char *
put_length(char *end, size_t number)
{
	do {
		*--end = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	return end;
}

/* Appends for people, cut where no character of UTF-8 is torn. */
static void
show(key *out, const char *text, size_t length)
{
	size_t used = strlen(out->shown);
	size_t cut = length;
	char *end;

	if (out->is_cut)
		return;
	if (length > PART_SHOWN) {
		cut = PART_SHOWN;
		while (cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80)
			cut--;
	}
	/* Keeps room for ", ...", which marks a cut. */
	out->is_cut = used + cut + sizeof(", ...") > sizeof(out->shown) - sizeof(", ...");
	if (out->is_cut) {
		snprintf(out->shown + used, sizeof(out->shown) - used, ", ...");
		return;
	}
	end = out->shown + used;
	if (used > 0)
		end = put(end, ", ", 2);
	end = put(end, text, strnlen(text, cut));
	if (cut < length)
		end = put(end, "...", 3);
	*end = '\0';
}

/* The SHA-256 stands for a part longer than its share of the key: clients choose the part. */
static limen_verdict
append(key *out, char tag, const char *text, size_t length, limen_reply *reply)
{
	char head[HEAD_MAX];
	char *end = head + sizeof(head);
	char *start;
	char *cursor = out->text + out->length;
	size_t room = sizeof(out->text) - out->length;
	size_t size;
	digest hash;

	if (length > out->share) {
		hash = digest_of(text, length);
		text = hash.text;
		length = sizeof(hash.text) - 1;
		tag = TAG_HASH;
	}
	*--end = ':';
	start = put_length(end, length);
	*--start = tag;
	size = (size_t)(end + 1 - start);
	if (size >= room || length > room - size) {
		limen_reply_reason(reply, "The key is longer than %d bytes", LIMEN_KEY_MAX);
		return LIMEN_ERROR;
	}
	cursor = put(cursor, start, size);
	put(cursor, text, length);
	out->length += size + length;
	return LIMEN_PASS;
}

static limen_verdict
add_text(key *out, const char *text, size_t length, limen_reply *reply)
{
	show(out, text, length);
	return append(out, TAG_TEXT, text, length, reply);
}

static limen_verdict
add_absent(key *out, const char *word, const char *name, limen_reply *reply)
{
	/* One byte more than is shown, for show() to see where a character ends. */
	char text[PART_SHOWN + 2];

	snprintf(text, sizeof(text), "no %s%s", word, name);
	show(out, text, strlen(text));
	return append(out, TAG_ABSENT, "", 0, reply);
}

/* Equal JSON numbers count as one, however they are written. */
static limen_verdict
add_number(key *out, limen_value value, limen_reply *reply)
{
	char text[40];
	int64_t whole;
	double real = 0;

	if (limen_value_int(value, &whole)) {
		snprintf(text, sizeof(text), "%" PRId64, whole);
	} else {
		limen_value_real(value, &real);
		snprintf(text, sizeof(text), "%.17g", real);
	}
	show(out, text, strlen(text));
	return append(out, TAG_NUMBER, text, strlen(text), reply);
}

static limen_verdict
add_json(key *out, limen_value value, limen_reply *reply)
{
	size_t length = 0;
	char *text = limen_value_to_json(value, LIMEN_JSON_SORTED, &length);
	limen_verdict verdict;

	if (text == NULL) {
		limen_reply_reason(reply, "%s", limen_result_text(LIMEN_ENOMEM));
		return LIMEN_ERROR;
	}
	show(out, text, length);
	verdict = append(out, TAG_JSON, text, length, reply);
	free(text);
	return verdict;
}

static limen_verdict
add_value(key *out, limen_value value, const char *word, const char *name, limen_reply *reply)
{
	size_t length;
	const char *text;

	switch (limen_value_type(value)) {
	case LIMEN_TYPE_NONE:
		return add_absent(out, word, name, reply);
	case LIMEN_TYPE_STRING:
		text = limen_value_string(value, &length);
		return add_text(out, text, length, reply);
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		return add_number(out, value, reply);
	default:
		return add_json(out, value, reply);
	}
}

static limen_verdict
add_requester(key *out, const key_rules *rules, const limen_request *req, limen_reply *reply)
{
	char text[LIMEN_NETWORK_TEXT_MAX];
	limen_network network;
	limen_verdict verdict = requester_read(req, reply, &network);
	bool is_address;
	int64_t prefix;

	if (verdict == LIMEN_SKIP)
		return add_absent(out, "requester", "", reply);
	if (verdict != LIMEN_PASS)
		return LIMEN_ERROR;
	network_unmap(&network);
	prefix = network.address.family == 4 ? rules->prefix4 : rules->prefix6;
	if (network.prefix > prefix)
		network_cut(&network, (unsigned)prefix);
	limen_network_print(&network, text);
	is_address = network.prefix == (network.address.family == 4 ? 32 : 128);
	if (is_address)
		text[strcspn(text, "/")] = '\0';
	return add_text(out, text, strlen(text), reply);
}

static limen_verdict
add_classifier(key *out, const limen_request *req, limen_reply *reply)
{
	const char *name = limen_request_asking_classifier(req);

	if (name == NULL)
		return add_absent(out, "classifier", "", reply);
	return add_text(out, name, strlen(name), reply);
}

/* Adds the SHA-256 of a text, of which people see the beginning. */
static limen_verdict
add_hash(key *out, const char *text, size_t length, limen_reply *reply)
{
	digest hash = digest_of(text, length);
	char shown[sizeof("sha256:") + 16];

	snprintf(shown, sizeof(shown), "sha256:%.16s", hash.text);
	show(out, shown, strlen(shown));
	return append(out, TAG_HASH, hash.text, strlen(hash.text), reply);
}

/* Returns a member of an HTTP request, none of others. */
static limen_value
http_member(const limen_request *req, const char *name)
{
	return limen_request_subject(req) == LIMEN_SUBJECT_HTTP
	               ? limen_value_get(limen_request_document(req), name)
	               : limen_value_none();
}

limen_value
part_value(const part *item, const limen_request *req)
{
	return item->kind == PART_HEADER
	               ? limen_value_get(http_member(req, "headers"), item->header)
	               : limen_request_find(req, item->path);
}

static limen_verdict
add_header(key *out, const part *item, const limen_request *req, limen_reply *reply)
{
	limen_value value = part_value(item, req);
	size_t length;
	const char *text = limen_value_string(value, &length);

	return item->hashed && text != NULL ? add_hash(out, text, length, reply)
	                                    : add_value(out, value, "header ", item->header, reply);
}

/* Names of hosts are the same in upper and lower case; what is longer is no name. */
static limen_verdict
add_host(key *out, const limen_request *req, limen_reply *reply)
{
	limen_value host = http_member(req, "host");
	size_t length;
	const char *text = limen_value_string(host, &length);
	char lower[256];

	if (text == NULL || length >= sizeof(lower))
		return add_value(out, host, "host", "", reply);
	for (size_t i = 0; i < length; i++)
		lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
	return add_text(out, lower, length, reply);
}

static limen_verdict
add_http(key *out, const part *item, const limen_request *req, limen_reply *reply)
{
	const char *route;

	switch (item->kind) {
	case PART_HEADER:
		return add_header(out, item, req, reply);
	case PART_METHOD:
		return add_value(out, http_member(req, "method"), "method", "", reply);
	case PART_HOST:
		return add_host(out, req, reply);
	case PART_PATH:
		return add_value(out, http_member(req, "path"), "path", "", reply);
	default:
		route = limen_request_route(req);
		return route == NULL ? add_absent(out, "route", "", reply)
		                     : add_text(out, route, strlen(route), reply);
	}
}

static limen_verdict
add_part(key *out, const part *item, const key_rules *rules, const limen_request *req,
         limen_reply *reply)
{
	switch (item->kind) {
	case PART_REQUESTER:
		return add_requester(out, rules, req, reply);
	case PART_CLASSIFIER:
		return add_classifier(out, req, reply);
	case PART_TEST_TYPE:
		return add_value(out, part_value(item, req), "test type", "", reply);
	case PART_HINT:
		return add_value(out, limen_value_get(limen_request_hints(req), item->name),
		                 "hint ", item->name, reply);
	case PART_POINTER:
		return add_value(out, part_value(item, req), "", item->name, reply);
	default:
		return add_http(out, item, req, reply);
	}
}

limen_verdict
key_read(const key_rules *rules, const limen_request *req, limen_reply *reply, key *out)
{
	limen_verdict verdict = LIMEN_PASS;

	out->length = 0;
	out->share = sizeof(out->text) / (rules->count + 1);
	out->shown[0] = '\0';
	out->is_cut = false;
	for (size_t i = 0; i < rules->count && verdict == LIMEN_PASS; i++)
		verdict = add_part(out, &rules->parts[i], rules, req, reply);
	return verdict;
}
