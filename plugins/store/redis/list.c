/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - scans the names in Redis and asks scripts about the buckets, or to reset some. */
#include "modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#define NAMES 200      /* in an answer of SCAN, about */
#define PAGE 64        /* buckets in a call of the script */
#define ANSWERS 5      /* numbers for each of them */
#define CURSOR_MAX 21  /* of SCAN: a number of 64 bits */
#define KINDS "[bh]:*" /* the names of buckets, after the prefix of the store */
#define TAGS "{*}"     /* of a cluster, before the kinds */

/* Shown for a long key.  Longer than any key that is shown itself, so it equals none. */
#define HASHED "(a key of more than %d bytes, whose SHA-256 begins with %.*s)"

typedef struct listing {
	const settings *options;
	char runs[NODES_MAX * (WIRE_RUN_MAX + 2)]; /* of all masters */
	wire *wire; /* to the one that is being listed */
	limen_deadline deadline;
	bool (*each)(void *data, const limen_bucket *bucket);
	void *data;
	bool resets; /* what 'each' returns true for, instead of going on */
	bool stopped;
	const redisReply *names[PAGE];
	bucket_name entries[PAGE];
	size_t count;
	char cursor[CURSOR_MAX];
} listing;

/* One answer may take the store's timeout; the whole list may take longer. */
static void
set_deadline(const listing *listed)
{
	int64_t until = limen_host_monotonic() + listed->options->timeout * 1000;

	listed->wire->deadline = MIN(until, listed->deadline);
}

/* Returns true if the bucket is to be reset. */
static bool
show(listing *listed, const bucket_name *entry, redisReply *const *answer)
{
	char table[TABLE_PREFIX_MAX + 1];
	char hashed[sizeof(HASHED) + TABLE_HASH_DIGITS];
	limen_bucket shown = {
		.size = sizeof(shown), .table = table, .key = entry->key,
		.key_length = entry->key_length, .left = answer[0]->integer,
		.leased = answer[1]->integer, .age = answer[2]->integer,
		.refused = -1,
	};

	limen_meter_describe(&entry->meter, &shown);
	shown.burst = answer[3]->integer;
	shown.reset = answer[4]->integer;
	if (shown.kind != LIMEN_METER_TOKEN) {
		shown.tokens = shown.burst;
		shown.age = shown.age < 0 ? -1 : 0;
	}
	/* Else the key has expired, or is no bucket. */
	if (shown.left < 0 || shown.leased < 0 || shown.age < 0 || shown.left >= shown.burst)
		return false;
	memcpy(table, entry->table, entry->table_length);
	table[entry->table_length] = '\0';
	if (entry->hashed) {
		shown.key = hashed;
		shown.key_length = (size_t)snprintf(hashed, sizeof(hashed), HASHED, TABLE_KEY_MAX,
		                                    (int)entry->key_length, entry->key);
	}
	if (listed->resets)
		return listed->each(listed->data, &shown);
	listed->stopped = !listed->each(listed->data, &shown);
	return false;
}

/* EVAL and not EVALSHA: a list is rare, and connections need not load its script. */
static redisReply *
ask_page(const listing *listed, const char *script)
{
	wire *to = listed->wire;

	call_begin(to, listed->options, script, listed->entries[0].tag, listed->count,
	           2 + CALL_METER * listed->count);
	for (size_t i = 0; i < listed->count; i++)
		wire_pair(to, listed->names[i]->str, (size_t)listed->names[i]->len, "", 0);
	wire_pair(to, to->run, strlen(to->run), listed->runs, strlen(listed->runs));
	wire_text(to, call_trust(listed->options));
	for (size_t i = 0; i < listed->count; i++)
		call_meter(to, &listed->entries[i].meter);
	set_deadline(listed);
	return wire_wait(to, to->deadline, NULL);
}

/* Shows the buckets of the page, and resets those that are chosen. */
static void
show_page(listing *listed)
{
	redisReply *reply = listed->count == 0 ? NULL : ask_page(listed, script_look);
	size_t count = listed->count;

	listed->count = 0;
	if (reply != NULL && answer_check(listed->wire, reply, ANSWERS * count)) {
		for (size_t i = 0; i < count && !listed->stopped; i++) {
			if (!show(listed, &listed->entries[i], &reply->element[ANSWERS * i]))
				continue;
			listed->names[listed->count] = listed->names[i];
			listed->entries[listed->count++] = listed->entries[i];
		}
	}
	freeReplyObject(reply);
	reply = listed->count == 0 ? NULL : ask_page(listed, script_reset);
	if (reply != NULL && reply->type != REDIS_REPLY_INTEGER)
		wire_fail_reply(listed->wire, reply);
	freeReplyObject(reply);
	listed->count = 0;
}

static void
show_names(listing *listed, const redisReply *names)
{
	for (size_t i = 0; i < names->elements && !listed->wire->failed && !listed->stopped; i++) {
		const redisReply *name = names->element[i];

		if (name->type != REDIS_REPLY_STRING ||
		    !table_spec_read(&listed->entries[listed->count], listed->options->prefix,
		                     name->str, (size_t)name->len))
			continue;
		listed->names[listed->count++] = name;
		/* Others may be in another slot of a cluster. */
		if (listed->count == PAGE || listed->options->cluster.count > 0)
			show_page(listed);
	}
	if (!listed->wire->failed && !listed->stopped)
		show_page(listed);
	listed->count = 0;
}

/* Shows the buckets of one SCAN; false after the last, and on failure. */
static bool
show_some(listing *listed, const char *pattern)
{
	redisReply *reply, *const *parts;
	bool good;

	set_deadline(listed);
	reply = wire_ask(listed->wire, "SCAN %s MATCH %s COUNT %d", listed->cursor, pattern, NAMES);
	good = reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2;
	parts = good ? reply->element : NULL;
	/* A cursor is digits, otherwise opaque. */
	good = good && parts[1]->type == REDIS_REPLY_ARRAY && parts[0]->type == REDIS_REPLY_STRING &&
	       (size_t)parts[0]->len == strspn(parts[0]->str, "0123456789") &&
	       (size_t)parts[0]->len < sizeof(listed->cursor);
	if (good) {
		strcpy(listed->cursor, parts[0]->str);
		show_names(listed, parts[1]);
	} else {
		wire_fail_reply(listed->wire, NULL);
	}
	freeReplyObject(reply);
	return good && !listed->wire->failed && !listed->stopped &&
	       strcmp(listed->cursor, "0") != 0;
}

/* Writes "PREFIX[bh]:*", with the special characters of MATCH in the prefix escaped. */
static char *
write_pattern(const settings *options)
{
	const char *prefix = options->prefix;
	char *pattern = malloc(2 * strlen(prefix) + sizeof(TAGS KINDS));
	char *out = pattern;

	if (pattern == NULL)
		return NULL;
	for (; *prefix != '\0'; prefix++) {
		if (strchr("*?[]^-\\", *prefix) != NULL)
			*out++ = '\\';
		*out++ = *prefix;
	}
	strcpy(out, options->cluster.count > 0 ? TAGS KINDS : KINDS);
	return pattern;
}

/* Lists one server until the deadline, which adds a warning; false on another failure. */
static bool
walk(listing *listed, const char *pattern, limen_diag *diag)
{
	strcpy(listed->cursor, "0");
	while (show_some(listed, pattern) && limen_host_monotonic() < listed->deadline)
		;
	if (listed->stopped || (!listed->wire->failed && strcmp(listed->cursor, "0") == 0))
		return true;
	if (listed->wire->failed && limen_host_monotonic() < listed->deadline)
		return false;
	listed->stopped = true;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(),
	               "the timeout passed before all buckets were read");
	return true;
}

int
list_buckets(const settings *options, bool resets, limen_deadline deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	listing listed = { .options = options, .deadline = deadline, .each = each, .data = data,
		           .resets = resets };
	int64_t connected = limen_host_monotonic() + options->connect_timeout * 1000;
	char *pattern = write_pattern(options);
	wire *wires[NODES_MAX];
	wire_fault why;
	cluster_map map;
	size_t count, length = 0;

	if (pattern == NULL)
		return LIMEN_ENOMEM;
	count = wire_open_all(options, MIN(connected, deadline), &map, wires, &why);
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(listed.runs + length, sizeof(listed.runs) - length, " %s",
		                           wires[i]->run);
	for (size_t i = 0; i < count && why.text[0] == '\0' && !listed.stopped; i++) {
		listed.wire = wires[i];
		if (!walk(&listed, pattern, diag))
			snprintf(why.text, sizeof(why.text), "%s", wires[i]->error);
	}
	for (size_t i = 0; i < count; i++)
		wire_close(wires[i]);
	free(pattern);
	if (why.text[0] == '\0')
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "Redis at %s: %s",
	               options->shown, why.text);
	return why.lasts ? LIMEN_ECONFIG : LIMEN_EIO;
}
