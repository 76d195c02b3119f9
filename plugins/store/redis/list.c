/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - scans the names in Redis and asks a script about the buckets.  A list
 * writes nothing; a reset writes what its caller chooses. */
#include "modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Approximate names per answer of SCAN, and buckets per call of the script. */
#define NAMES 200
#define PAGE 64

/* The names of buckets, after the prefix of the store. */
#define KINDS "[bh]:*"
#define TAGS "{*}" /* of a cluster, before the kinds */

/* Shown for a long key.  Longer than any key that is shown itself, so it equals none. */
#define HASHED "(a key of more than %d bytes, whose SHA-256 begins with %.*s)"

/* Numbers per bucket in the answer. */
#define ANSWERS 5

/* A cursor of SCAN is a number of 64 bits. */
#define CURSOR_MAX 21

typedef struct page {
	const redisReply *names[PAGE];
	bucket_name entries[PAGE];
	size_t count;
} page;

typedef struct listing {
	const settings *options;
	wire *wires[NODES_MAX]; /* one, or to each master of a cluster */
	size_t count;
	char runs[NODES_MAX * (WIRE_RUN_MAX + 2)]; /* of all */
	wire *wire; /* which is being listed */
	limen_deadline deadline;
	bool (*each)(void *data, const limen_bucket *bucket);
	void *data;
	bool resets; /* what 'each' returns true for, instead of going on */
	bool stopped;
	page page;
	char cursor[CURSOR_MAX];
} listing;

/* One answer may take the store's timeout; the whole list may take longer. */
static void
set_deadline(const listing *listed)
{
	int64_t until = limen_host_monotonic() + listed->options->timeout * 1000;

	listed->wire->deadline = until < listed->deadline ? until : listed->deadline;
}

/* ---- buckets ---- */

/* Returns true if the bucket is to be reset. */
static bool
show(listing *listed, const bucket_name *entry, redisReply *const *answer)
{
	char table[TABLE_PREFIX_MAX + 1];
	char hashed[sizeof(HASHED) + TABLE_HASH_DIGITS];
	limen_bucket shown = {
		.size = sizeof(shown),
		.table = table,
		.key = entry->key,
		.key_length = entry->key_length,
		.left = answer[0]->integer,
		.leased = answer[1]->integer,
		.age = answer[2]->integer,
	};

	limen_meter_describe(&entry->meter, &shown);
	shown.burst = answer[3]->integer;
	shown.reset = answer[4]->integer;
	if (shown.kind != LIMEN_METER_TOKEN) {
		shown.tokens = shown.burst;
		shown.age = shown.age < 0 ? -1 : 0;
	}
	/* The key has expired, or is not a bucket. */
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
	const page *names = &listed->page;
	wire *to = listed->wire;

	call_begin(to, listed->options, script, names->entries[0].tag, names->count,
	           2 + CALL_METER * names->count);
	for (size_t i = 0; i < names->count; i++)
		wire_pair(to, names->names[i]->str, (size_t)names->names[i]->len, "", 0);
	wire_pair(to, to->run, strlen(to->run), listed->runs, strlen(listed->runs));
	wire_text(to, call_trust(listed->options));
	for (size_t i = 0; i < names->count; i++)
		call_meter(to, &names->entries[i].meter);
	set_deadline(listed);
	return wire_wait(to, to->deadline, NULL);
}

/* Shows the buckets of the page, and resets those that are chosen. */
static void
show_page(listing *listed)
{
	page *all = &listed->page;
	redisReply *reply = all->count == 0 ? NULL : ask_page(listed, script_look);
	size_t chosen = 0;

	if (reply != NULL && answer_check(listed->wire, reply, ANSWERS * all->count)) {
		for (size_t i = 0; i < all->count && !listed->stopped; i++) {
			if (!show(listed, &all->entries[i], &reply->element[ANSWERS * i]))
				continue;
			all->names[chosen] = all->names[i];
			all->entries[chosen++] = all->entries[i];
		}
	}
	freeReplyObject(reply);
	all->count = chosen;
	reply = chosen == 0 ? NULL : ask_page(listed, script_reset);
	if (reply != NULL && reply->type != REDIS_REPLY_INTEGER)
		wire_fail_reply(listed->wire, reply);
	freeReplyObject(reply);
	all->count = 0;
}

/* ---- names ---- */

static void
show_names(listing *listed, const redisReply *names)
{
	for (size_t i = 0; i < names->elements && !listed->wire->failed && !listed->stopped; i++) {
		const redisReply *name = names->element[i];
		page *to = &listed->page;

		if (name->type != REDIS_REPLY_STRING ||
		    !table_spec_read(&to->entries[to->count], listed->options->prefix, name->str,
		                     (size_t)name->len))
			continue;
		to->names[to->count++] = name;
		/* Others may be in another slot of a cluster. */
		if (to->count == PAGE || listed->options->cluster.count > 0)
			show_page(listed);
	}
	if (!listed->wire->failed && !listed->stopped)
		show_page(listed);
	listed->page.count = 0;
}

/* Reads the cursor of the next SCAN: digits, otherwise opaque. */
static bool
read_cursor(listing *listed, const redisReply *cursor)
{
	if (cursor->type != REDIS_REPLY_STRING || cursor->len < 1 ||
	    (size_t)cursor->len >= sizeof(listed->cursor) ||
	    strspn(cursor->str, "0123456789") != (size_t)cursor->len)
		return false;
	memcpy(listed->cursor, cursor->str, (size_t)cursor->len + 1);
	return true;
}

/* Shows the buckets of one SCAN; false after the last, and on failure. */
static bool
show_some(listing *listed, const char *pattern)
{
	redisReply *reply;
	bool good;

	set_deadline(listed);
	reply = wire_ask(listed->wire, "SCAN %s MATCH %s COUNT %d", listed->cursor, pattern, NAMES);
	good = reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
	       reply->element[1]->type == REDIS_REPLY_ARRAY &&
	       read_cursor(listed, reply->element[0]);
	if (good)
		show_names(listed, reply->element[1]);
	else
		wire_fail_answer(listed->wire);
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

/* ---- all of it ---- */

/* Lists until the deadline, which adds a warning; another failure is an error, told in 'why'. */
static bool
walk(listing *listed, const char *pattern, wire_fault *why, limen_diag *diag)
{
	for (size_t i = 0; i < listed->count && !listed->stopped; i++) {
		listed->wire = listed->wires[i];
		strcpy(listed->cursor, "0");
		while (show_some(listed, pattern) && limen_host_monotonic() < listed->deadline)
			;
		if (listed->wire->failed && limen_host_monotonic() < listed->deadline) {
			snprintf(why->text, sizeof(why->text), "%s", listed->wire->error);
			return false;
		}
		if (listed->stopped || (!listed->wire->failed && strcmp(listed->cursor, "0") == 0))
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(),
		               "the timeout passed before all buckets were read");
		break;
	}
	return true;
}

int
list_buckets(const settings *options, bool resets, limen_deadline deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	listing listed = { .options = options,
		           .deadline = deadline,
		           .each = each,
		           .data = data,
		           .resets = resets };
	int64_t connected = limen_host_monotonic() + options->connect_timeout * 1000;
	char *pattern = write_pattern(options);
	wire_fault why = { .lasts = false };
	cluster_map map;
	size_t length = 0;
	bool good;

	if (pattern == NULL)
		return LIMEN_ENOMEM;
	listed.count = wire_open_all(options, connected < deadline ? connected : deadline, &map,
	                             listed.wires, &why);
	for (size_t i = 0; i < listed.count; i++)
		length += (size_t)snprintf(listed.runs + length, sizeof(listed.runs) - length, " %s",
		                           listed.wires[i]->run);
	good = why.text[0] == '\0' && walk(&listed, pattern, &why, diag);
	if (!good)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "Redis at %s: %s",
		               options->shown, why.text);
	for (size_t i = 0; i < listed.count; i++)
		wire_close(listed.wires[i]);
	free(pattern);
	return good ? LIMEN_OK : why.lasts ? LIMEN_ECONFIG : LIMEN_EIO;
}
