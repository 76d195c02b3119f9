/* SPDX-License-Identifier: Apache-2.0 */
/* rate.c - one limit: decoding, validation and defaults, with the texts of kube-apiserver. */
#include "event_rate_limit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/unknown_key.h"

/* SetDefaults_Limit does not set it; the plugin takes this for 0. */
#define CACHE_SIZE_DEFAULT 4096

const char *const limit_type_names[LIMIT_TYPES] = {
	[LIMIT_SERVER] = "Server",
	[LIMIT_NAMESPACE] = "Namespace",
	[LIMIT_USER] = "User",
	[LIMIT_SOURCE_AND_OBJECT] = "SourceAndObject",
};

/* In byte order, as messages list them; those of overrides are all but Server. */
static const char *const limit_words[] = {
	"Namespace", "Server", "SourceAndObject", "User", NULL
};
static const char *const override_words[] = { "Namespace", "SourceAndObject", "User", NULL };

/* The document that proposed the plugin spells types in two more ways. */
static const struct {
	const char *word;
	limit_type type;
} old_words[] = {
	{ "server", LIMIT_SERVER },
	{ "namespace", LIMIT_NAMESPACE },
	{ "user", LIMIT_USER },
	{ "sourceAndObject", LIMIT_SOURCE_AND_OBJECT },
	{ "source+object", LIMIT_SOURCE_AND_OBJECT },
};

static const char *const limit_keys[] = { "type", "qps", "burst", "cacheSize", NULL };
static const char *const override_keys[] = { "type", "keys", "qps", "burst", "cacheSize", NULL };

void *
rate_make_array(rate_reader *reader, limen_value value, const char *option, size_t size)
{
	void *memory;

	if (!limen_value_exists(value))
		return NULL;
	if (limen_value_type(value) != LIMEN_TYPE_ARRAY) {
		REFUSE(reader, value, "%s: must be an array", option);
		return NULL;
	}
	memory = calloc(limen_value_count(value) + 1, size);
	if (memory == NULL)
		reader->result = LIMEN_ENOMEM;
	return memory;
}

/* A member, or the object that should have it. */
static limen_value
place_of(limen_value object, const char *key)
{
	limen_value member = limen_value_get(object, key);

	return limen_value_exists(member) ? member : object;
}

static bool
find_type(rate_reader *reader, limen_value value, limit_type *out)
{
	for (int i = 0; i < LIMIT_TYPES; i++) {
		if (!limen_value_is(value, limit_type_names[i]))
			continue;
		*out = (limit_type)i;
		return true;
	}
	for (size_t i = 0; i < sizeof old_words / sizeof old_words[0]; i++) {
		if (!limen_value_is(value, old_words[i].word))
			continue;
		*out = old_words[i].type;
		limen_diag_add(reader->diag, LIMEN_SEVERITY_NOTE, value,
		               "Kubernetes knows \"%s\" as \"%s\" only", old_words[i].word,
		               limit_type_names[*out]);
		return true;
	}
	return false;
}

static void
refuse_type(rate_reader *reader, limen_value object, const rate_place *at)
{
	limen_value value = limen_value_get(object, "type");
	char *shown =
		rate_is_left_out(value) ? strdup("\"\"") : limen_value_to_json(value, 0, NULL);
	const char *text = limen_value_string(value, NULL);

	if (shown == NULL) {
		reader->result = LIMEN_ENOMEM;
		return;
	}
	REFUSE(reader, place_of(object, "type"),
	       "%s[%zu].type: Unsupported value: %s: supported values: \"Namespace\", %s"
	       "\"SourceAndObject\", \"User\"",
	       at->list, at->index, shown, at->is_override ? "" : "\"Server\", ");
	if (text != NULL)
		unknown_key_hint(text, at->is_override ? override_words : limit_words, '"',
		                 reader->diag);
	free(shown);
}

static bool
read_type(rate_reader *reader, limit_type *out, limen_value object, const rate_place *at)
{
	limen_value value = limen_value_get(object, "type");

	if (!rate_is_left_out(value) && limen_value_type(value) != LIMEN_TYPE_STRING) {
		REFUSE(reader, value, "%s[%zu].type: must be a string", at->list, at->index);
		return false;
	}
	if (find_type(reader, value, out) && (!at->is_override || *out != LIMIT_SERVER))
		return true;
	refuse_type(reader, object, at);
	return false;
}

/* Reads an integer; a missing one is 0, as in Go.  Returns false after a report. */
static bool
read_int32(rate_reader *reader, int64_t *out, limen_value object, const char *key,
           const rate_place *at)
{
	limen_value value = limen_value_get(object, key);

	*out = 0;
	if (rate_is_left_out(value))
		return true;
	if (limen_value_int(value, out) && *out >= INT32_MIN && *out <= INT32_MAX)
		return true;
	REFUSE(reader, value, "%s[%zu].%s: must be an integer of 32 bits", at->list, at->index,
	       key);
	if (limen_value_type(value) == LIMEN_TYPE_REAL)
		limen_diag_hint(reader->diag, "less than one event a second cannot be configured");
	else if (limen_value_type(value) == LIMEN_TYPE_STRING)
		limen_diag_hint(reader->diag, "write it without quotes");
	return false;
}

static void
read_positive(rate_reader *reader, int64_t *out, limen_value object, const char *key,
              const rate_place *at)
{
	if (read_int32(reader, out, object, key, at) && *out <= 0)
		REFUSE(reader, place_of(object, key),
		       "%s[%zu].%s: Invalid value: %" PRId64 ": must be positive", at->list,
		       at->index, key, *out);
}

static void
read_cache_size(rate_reader *reader, rate *out, bool typed, limen_value object,
                const rate_place *at)
{
	limen_value value = limen_value_get(object, "cacheSize");
	bool is_server = typed && out->type == LIMIT_SERVER;

	if (read_int32(reader, &out->cache_size, object, "cacheSize", at) && !is_server &&
	    out->cache_size < 0)
		REFUSE(reader, value,
		       "%s[%zu].cacheSize: Invalid value: %" PRId64 ": must not be negative",
		       at->list, at->index, out->cache_size);
	if (is_server && out->cache_size != 0)
		limen_diag_add(reader->diag, LIMEN_SEVERITY_WARNING, value,
		               "%s[%zu].cacheSize: type Server has only one bucket, so this is "
		               "ignored", at->list, at->index);
	if (out->cache_size == 0)
		out->cache_size = CACHE_SIZE_DEFAULT;
	if (is_server)
		out->cache_size = 1;
}

void
rate_warn_unknown(rate_reader *reader, limen_value object, const char *const *known,
                  const char *prefix)
{
	/* The options of this module, which stand beside a Configuration and not in it. */
	static const char *const own[] = { "exempt", "overrides", "groups", "store", NULL };
	limen_iter iter = limen_iter_start(object);
	limen_value key;

	while (unknown_key_next(&iter, known, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);
		size_t i = 0;

		limen_diag_add(reader->diag, LIMEN_SEVERITY_WARNING, key, "unknown field \"%s%s\"",
		               prefix, text);
		while (own[i] != NULL && !limen_value_is(key, own[i]))
			i++;
		if (own[i] != NULL)
			limen_diag_hint(reader->diag, "it belongs into the data of an admission "
			                              "entry that says \"manifests\": true");
		else
			unknown_key_hint(text, known, '"', reader->diag);
	}
}

void
rate_refuse_unknown(rate_reader *reader, limen_value object, const char *const *known,
                    const char *list, size_t index)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;

	while (unknown_key_next(&iter, known, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		REFUSE(reader, key, "%s[%zu]: unknown key \"%s\"", list, index, text);
		unknown_key_hint(text, known, '"', reader->diag);
	}
}

static void
check_keys(rate_reader *reader, limen_value object, const rate_place *at)
{
	char prefix[64];

	if (at->is_override) {
		rate_refuse_unknown(reader, object, override_keys, at->list, at->index);
		return;
	}
	snprintf(prefix, sizeof prefix, "%s[%zu].", at->list, at->index);
	rate_warn_unknown(reader, object, limit_keys, prefix);
}

bool
rate_read(rate_reader *reader, rate *out, limen_value object, const rate_place *at)
{
	bool typed;

	*out = (rate){ .type = LIMIT_SERVER };
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, object, "%s[%zu]: must be an object", at->list, at->index);
		return false;
	}
	check_keys(reader, object, at);
	/* The order of ValidateConfiguration. */
	typed = read_type(reader, &out->type, object, at);
	read_positive(reader, &out->burst, object, "burst", at);
	read_positive(reader, &out->qps, object, "qps", at);
	read_cache_size(reader, out, typed, object, at);
	return typed;
}

void
rate_refuse_duplicate(rate_reader *reader, const rate *item, limen_value object,
                      const rate_place *at)
{
	REFUSE(reader, place_of(object, "type"), "%s[%zu].type: Duplicate value: \"%s\"",
	       at->list, at->index, limit_type_names[item->type]);
	limen_diag_hint(reader->diag, "a type has one limit; Kubernetes would enforce both");
}

/* For the store: it forgets buckets when that changes. */
static const char *
describe_key(limit_type type, bool core_only)
{
	switch (type) {
	case LIMIT_NAMESPACE:
		return "namespace";
	case LIMIT_USER:
		return "user";
	case LIMIT_SOURCE_AND_OBJECT:
		return core_only ? "source,object" : "source or reporter,object";
	default:
		return "";
	}
}

int
rate_open(rate *item, const char *name, limen_opening *opening, const rate_home *home,
          limen_diag *diag)
{
	limen_table_spec spec = {
		.size = sizeof spec,
		.name = name,
		.tokens = item->qps,
		.period = LIMEN_SECOND,
		.burst = item->burst,
		.capacity = (uint64_t)item->cache_size,
		.keys = describe_key(item->type, home->core_only),
	};

	return limen_opening_table(opening, home->store, &spec, &item->table, diag);
}
