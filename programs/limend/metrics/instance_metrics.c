/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance_metrics.c - converts the description of the policy to Prometheus samples: walks
 * sections, entries, their status and their tables once and collects the samples by family.  Drops
 * repeated series, and samples beyond 1 MiB per family.
 */
#include "observer.h"

#include <stdbool.h>
#include <string.h>

#include "base/exposition.h"

/* Cap of one family, in bytes, which keeps a scrape small if the policy is large. */
#define FAMILY_BYTES_MAX ((size_t)1 << 20)
/* Deepest level of a status that is read. */
#define DEPTH_MAX 4

typedef enum family {
	FAMILY_READY,
	FAMILY_AGE,
	FAMILY_STATUS,
	FAMILY_EVENTS,
	FAMILY_BUCKETS,
	FAMILY_CAPACITY,
	FAMILY_EVICTIONS,
	FAMILY_TAKES,
	FAMILY_REFUSALS,
	FAMILY_TABLE,
	FAMILY_ASKED,
	FAMILY_MATCHED,
	FAMILY_REFUSED,
	FAMILY_WOULD,
	FAMILY_ERRORS,
	FAMILIES
} family;

static const struct {
	const char *name;
	const char *type;
	const char *help;
	const char *field; /* the field that it shows; NULL: no single field */
	bool of_table;     /* a field of a table, not of the status of the entry */
} families[FAMILIES] = {
	[FAMILY_READY] = { "limend_instance_ready", "gauge",
	                   "1 if the entry has the data that it needs, 0 if not.", "ready", false },
	[FAMILY_AGE] = { "limend_instance_age_seconds", "gauge",
	                 "Age of the data of the entry.", "age", false },
	[FAMILY_STATUS] = { "limend_instance_status", "gauge",
	                    "Other numbers of the status of an entry; of lists their length.",
	                    NULL, false },
	[FAMILY_EVENTS] = { "limend_instance_events_total", "counter",
	                    "Events that an entry counts.", NULL, false },
	[FAMILY_BUCKETS] = { "limend_table_buckets", "gauge",
	                     "Buckets in a table of token buckets.", "buckets", true },
	[FAMILY_CAPACITY] = { "limend_table_capacity", "gauge",
	                      "The most buckets a table holds.", "capacity", true },
	[FAMILY_EVICTIONS] = { "limend_table_evictions_total", "counter",
	                       "Buckets that were dropped to make room.", "evictions", true },
	[FAMILY_TAKES] = { "limend_table_takes_total", "counter",
	                   "Number of takes of tokens.", "takes", true },
	[FAMILY_REFUSALS] = { "limend_table_refusals_total", "counter",
	                      "Number of refusals for lack of tokens.", "refusals", true },
	[FAMILY_TABLE] = { "limend_table_status", "gauge",
	                   "Other numbers of the status of a table.", NULL, true },
	/* Counts of a rule, by their members. */
	[FAMILY_ASKED] = { "limend_rule_asked_total", "counter",
	                   "Decisions since the load that asked a rule.", "asked", true },
	[FAMILY_MATCHED] = { "limend_rule_matched_total", "counter",
	                     "Those for which an identifier or a classifier matched.", "matched", true },
	[FAMILY_REFUSED] = { "limend_rule_refused_total", "counter",
	                     "Those that a limit, an application or an entry refused.", "refused", true },
	[FAMILY_WOULD] = { "limend_rule_would_refuse_total", "counter",
	                   "Those that a rule would have refused, but only observes.", "would", true },
	[FAMILY_ERRORS] = { "limend_rule_errors_total", "counter",
	                    "Those for which a rule could not tell.", "errors", true },
};

/* State of the walk.  Each family has its own text, because its samples must stand together. */
typedef struct walk {
	GString *texts[FAMILIES];
	GHashTable *seen; /* series written so far, to drop duplicates */
	const char *section;
	const char *entry;
	const char *type;
	const char *table; /* NULL: outside of tables */
	const char *store;
} walk;

static const char *
text_or_empty(limen_value value)
{
	const char *text = limen_value_string(value, NULL);

	return text == NULL ? "" : text;
}

/* Adds a sample unless its series exists; 'key' and 'field' may be NULL. */
static void
add_sample(walk *self, family which, const char *key, const char *field, double value)
{
	GString *out = self->texts[which];
	gsize start = out->len;
	char *series;

	if (out->len > FAMILY_BYTES_MAX)
		return;
	g_string_append(out, families[which].name);
	exposition_label(out, "section", self->section);
	exposition_label(out, "entry", self->entry);
	if (self->type != NULL)
		exposition_label(out, "type", self->type);
	if (self->table != NULL) {
		exposition_label(out, "table", self->table);
		exposition_label(out, "store", self->store);
	}
	if (key != NULL)
		exposition_label(out, key, field);
	series = g_strdup(out->str + start);
	if (g_hash_table_add(self->seen, series))
		exposition_real(out, value);
	else
		g_string_truncate(out, start);
}

/* Reads a number, a boolean as 0 or 1, or the length of an array. */
static bool
read_number(limen_value value, double *out)
{
	bool array = limen_value_type(value) == LIMEN_TYPE_ARRAY;
	bool flag = false;

	*out = (double)limen_value_count(value);
	if (array || limen_value_real(value, out))
		return true;
	*out = limen_value_bool(value, &flag) && flag;
	return limen_value_type(value) == LIMEN_TYPE_BOOL;
}

static void
add_status(walk *self, const char *field, double value, bool outermost)
{
	bool in_table = self->table != NULL;

	for (int i = 0; outermost && i < FAMILY_ASKED; i++) {
		if (families[i].of_table == in_table && g_strcmp0(families[i].field, field) == 0) {
			add_sample(self, (family)i, NULL, NULL, value);
			return;
		}
	}
	add_sample(self, in_table ? FAMILY_TABLE : FAMILY_STATUS, "field", field, value);
}

static void
walk_counters(walk *self, limen_value counters)
{
	limen_value key;
	limen_value member;
	double value;

	for (limen_iter iter = limen_iter_start(counters); limen_iter_next(&iter, &key, &member);)
		if (limen_value_real(member, &value))
			add_sample(self, FAMILY_EVENTS, "event", text_or_empty(key), value);
}

/* Adds the fields of a status; nested fields are named "OUTER.INNER". */
static void
walk_status(walk *self, limen_value object, const char *prefix, unsigned depth)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	limen_value member;
	double value;

	while (depth < DEPTH_MAX && limen_iter_next(&iter, &key, &member)) {
		g_autofree char *field = g_strconcat(prefix, text_or_empty(key), NULL);
		g_autofree char *inner = g_strconcat(field, ".", NULL);

		if (depth == 0 && self->table == NULL && strcmp(field, "counters") == 0)
			walk_counters(self, member);
		else if (limen_value_type(member) == LIMEN_TYPE_OBJECT)
			walk_status(self, member, inner, depth + 1);
		else if (read_number(member, &value))
			add_status(self, field, value, depth == 0);
	}
}

/* The counts of a rule. */
static void
walk_counts(walk *self, const char *section, const char *name, const char *type, limen_value counts)
{
	double value;

	self->section = section;
	self->entry = name;
	self->type = type;
	self->table = NULL;
	for (int i = FAMILY_ASKED; i < FAMILIES; i++)
		if (limen_value_real(limen_value_get(counts, families[i].field), &value))
			add_sample(self, (family)i, NULL, NULL, value);
}

static void
walk_applications(walk *self, limen_value list)
{
	unsigned number = 0;
	limen_value item;

	for (limen_iter iter = limen_iter_start(list); limen_iter_next(&iter, NULL, &item);) {
		g_autofree char *name = g_strdup_printf("%u", ++number);

		walk_counts(self, "applications", name, NULL, limen_value_get(item, "counts"));
	}
}

static void
walk_entry(walk *self, const char *section, const char *name, limen_value entry)
{
	limen_iter tables = limen_iter_start(limen_value_get(entry, "tables"));
	limen_value key;
	limen_value table;

	walk_counts(self, section, name, limen_value_string(limen_value_get(entry, "type"), NULL),
	            limen_value_get(entry, "counts"));
	if (self->type == NULL)
		return;
	walk_status(self, limen_value_get(entry, "status"), "", 0);
	while (limen_iter_next(&tables, &key, &table)) {
		self->table = text_or_empty(key);
		self->store = text_or_empty(limen_value_get(table, "store"));
		walk_status(self, table, "", 0);
	}
}

/* A section is an object of entries; rewriter and prioritizer are single entries. */
static void
walk_section(walk *self, const char *name, limen_value section)
{
	limen_iter entries = limen_iter_start(section);
	limen_value key;
	limen_value entry;

	if (strcmp(name, "application-list") == 0)
		walk_applications(self, section);
	if (limen_value_type(section) != LIMEN_TYPE_OBJECT)
		return;
	if (limen_value_string(limen_value_get(section, "type"), NULL) != NULL) {
		walk_entry(self, name, name, section);
		return;
	}
	while (limen_iter_next(&entries, &key, &entry))
		walk_entry(self, name, text_or_empty(key), entry);
}

void
instance_metrics_write(limen_value root, GString *out)
{
	walk self = { .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };
	limen_iter sections = limen_iter_start(root);
	limen_value key;
	limen_value section;

	for (int i = 0; i < FAMILIES; i++)
		self.texts[i] = g_string_new(NULL);
	while (limen_iter_next(&sections, &key, &section))
		walk_section(&self, text_or_empty(key), section);
	for (int i = 0; i < FAMILIES; i++) {
		if (self.texts[i]->len > 0)
			exposition_family(out, families[i].name, families[i].type,
			                  families[i].help);
		g_string_append_len(out, self.texts[i]->str, (gssize)self.texts[i]->len);
		g_string_free(self.texts[i], TRUE);
	}
	g_hash_table_destroy(self.seen);
}
