/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_sections.c - the top level of policy files: which keys there are, what
 * type each has, which may stand once.
 */
#include "conf_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limen/nearest.h>

#include "conf_manifests.h"
#include "option/option.h"

typedef struct section_rule {
	const char *name;
	limen_type type;
	int since; /* the schema of the pScheduler document that first had it; 0: ours */
	bool once;
	bool lone; /* an object instead of the array is its only element */
} section_rule;

/* Those with a schema version are of the pScheduler document ("Content"); the rest are ours. */
static const section_rule rules[SECTION_COUNT] = {
	[SECTION_SCHEMA] = { "schema", LIMEN_TYPE_NONE, 1, false, false },
	[SECTION_IDENTIFIERS] = { "identifiers", LIMEN_TYPE_ARRAY, 1, false, false },
	[SECTION_CLASSIFIERS] = { "classifiers", LIMEN_TYPE_ARRAY, 1, false, false },
	[SECTION_REWRITE] = { "rewrite", LIMEN_TYPE_OBJECT, 2, true, false },
	[SECTION_LIMITS] = { "limits", LIMEN_TYPE_ARRAY, 1, false, false },
	[SECTION_APPLICATIONS] = { "applications", LIMEN_TYPE_ARRAY, 1, false, false },
	[SECTION_PRIORITY] = { "priority", LIMEN_TYPE_OBJECT, 3, true, false },
	[SECTION_STORES] = { "stores", LIMEN_TYPE_OBJECT, 0, false, false },
	[SECTION_MODULES] = { "modules", LIMEN_TYPE_ARRAY, 0, false, false },
	[SECTION_SETTINGS] = { "settings", LIMEN_TYPE_OBJECT, 0, false, false },
	[SECTION_ADMISSION] = { "admission", LIMEN_TYPE_ARRAY, 0, false, true },
	[SECTION_APPLICATIONS_ON] = { "applications-on", LIMEN_TYPE_ARRAY, 0, true, false },
	[SECTION_ADMISSION_ON] = { "admission-on", LIMEN_TYPE_ARRAY, 0, true, false },
	[SECTION_TEMPLATES] = { "templates", LIMEN_TYPE_ARRAY, 0, false, false },
};

size_t
conf_directory(limen_value value)
{
	const char *file = value_place(value).file;
	const char *slash = file == NULL ? NULL : strrchr(file, '/');

	return slash == NULL ? 0 : (size_t)(slash - file) + 1;
}

const char *
conf_resolve(arena *memory, limen_value value, const char *path)
{
	size_t directory = path[0] == '/' ? 0 : conf_directory(value);

	return directory == 0 ? arena_strdup(memory, path)
	                      : arena_printf(memory, "%.*s%s", (int)directory,
	                                     value_place(value).file, path);
}

const char *
section_name(section which)
{
	return rules[which].name;
}

int
section_since(section which)
{
	return rules[which].since;
}

bool
conf_list_add(conf_list *list, limen_value key, limen_value value, limen_value root)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
		conf_item *items = realloc(list->items, capacity * sizeof(*items));

		if (items == NULL)
			return false;
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count] = (conf_item){ key, value, root };
	list->count++;
	return true;
}

static bool
add_members(conf_list *list, limen_value container, limen_value root)
{
	limen_iter iter = limen_iter_start(container);
	limen_value key, member;

	while (limen_iter_next(&iter, &key, &member))
		if (!conf_list_add(list, key, member, root))
			return false;
	return true;
}

static bool
add_section(conf *files, section which, limen_value value, limen_value root, limen_diag *diag)
{
	const section_rule *rule = &rules[which];
	conf_list *list = &files->sections[which];
	options_context context = { .diag = diag };

	if (rule->lone && limen_value_type(value) == LIMEN_TYPE_OBJECT)
		return conf_list_add(list, limen_value_none(), value, root);
	if (rule->type != LIMEN_TYPE_NONE && limen_value_type(value) != rule->type) {
		problem_type(&context, value, rule->type == LIMEN_TYPE_ARRAY ? "array" : "object");
		return true;
	}
	if (rule->type == LIMEN_TYPE_NONE || rule->once)
		return conf_list_add(list, limen_value_none(), value, root);
	return add_members(list, value, root);
}

static void
report_unknown(limen_value root, limen_value key, limen_diag *diag)
{
	limen_nearest best = limen_nearest_to(limen_value_string(key, NULL));
	char hint[128];

	for (size_t i = 0; i < SECTION_COUNT; i++)
		limen_nearest_offer(&best, rules[i].name);
	/* The pScheduler document's own skeleton has this slip. */
	if (limen_value_is(key, "classifications"))
		best.word = "classifiers";
	if (best.word != NULL)
		snprintf(hint, sizeof(hint), "did you mean '%s'?", best.word);
	problem_unexpected(diag, LIMEN_SEVERITY_PROBLEM, root, key,
	                   best.word == NULL ? NULL : hint);
}

bool
conf_keep_document(conf *files, document *doc)
{
	document **list = realloc(files->documents,
	                          (files->document_count + 1) * sizeof(document *));

	if (list == NULL) {
		document_unref(doc);
		return false;
	}
	files->documents = list;
	list[files->document_count] = doc;
	files->document_count++;
	return true;
}

/* "enabled": false at the top of a file turns the whole file off. */
static bool
is_enabled(conf *files, limen_value root, limen_diag *diag)
{
	limen_value enabled = limen_value_get(root, "enabled");
	options_context context = { .diag = diag };
	bool on = true;

	if (limen_value_exists(enabled) && !limen_value_bool(enabled, &on))
		problem_type(&context, enabled, "boolean");
	if (!on && files->off_count++ == 0)
		files->off = enabled;
	return on;
}

static bool
add_member(conf *files, limen_value root, limen_value key, limen_value value, limen_diag *diag)
{
	size_t i = 0;

	while (i < SECTION_COUNT && !limen_value_is(key, rules[i].name))
		i++;
	if (i < SECTION_COUNT)
		return add_section(files, (section)i, value, root, diag);
	if (!limen_value_is(key, "enabled"))
		report_unknown(root, key, diag);
	return true;
}

bool
conf_add_document(conf *files, document *doc, limen_diag *diag)
{
	limen_value root = document_root(doc);
	limen_value key, value;

	if (!conf_keep_document(files, doc))
		return false;
	if (limen_value_type(root) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, root,
		               "Invalid limit configuration: must be a JSON object");
		return true;
	}
	if (!is_enabled(files, root, diag))
		return true;
	if (manifest_is(root))
		return manifest_add(files, root, diag);
	for (limen_iter iter = limen_iter_start(root); limen_iter_next(&iter, &key, &value);)
		if (!add_member(files, root, key, value, diag))
			return false;
	return true;
}

int
conf_schema(const conf *files)
{
	const conf_list *list = &files->sections[SECTION_SCHEMA];
	int64_t version;

	if (list->count > 0 && limen_value_int(list->items[0].value, &version) && version >= 1 &&
	    version <= SCHEMA_NEWEST)
		return (int)version;
	return SCHEMA_NEWEST;
}

/* Converts a boolean or a number as Python's "%d" does: fractions are cut. */
static bool
cut_version(limen_value value, int64_t *out)
{
	double real;
	bool flag;

	if (limen_value_bool(value, &flag)) {
		*out = flag ? 1 : 0;
		return true;
	}
	if (limen_value_int(value, out))
		return true;
	if (!limen_value_real(value, &real) || !(real > -1e15 && real < 1e15))
		return false;
	*out = (int64_t)real;
	return true;
}

static const char *
python_type(limen_type type)
{
	switch (type) {
	case LIMEN_TYPE_STRING:
		return "str";
	case LIMEN_TYPE_ARRAY:
		return "list";
	case LIMEN_TYPE_OBJECT:
		return "dict";
	case LIMEN_TYPE_NULL:
		return "NoneType";
	default:
		return NULL;
	}
}

/* The texts are pScheduler's own; its validator fails while it looks the version up. */
static void
check_version(limen_value value, limen_diag *diag)
{
	options_context context = { .diag = diag };
	const char *type = python_type(limen_value_type(value));
	int64_t version;

	if (type != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value,
		               "%%d format: a real number is required, not %s", type);
	else if (cut_version(value, &version) && (version < 1 || version > SCHEMA_NEWEST))
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value,
		               "Unresolvable JSON pointer: 'local/LimitConfiguration_V%lld'",
		               (long long)version);
	else if (!limen_value_int(value, &version))
		problem_type(&context, value, "integer");
	else
		return;
	limen_diag_hint(diag, "schema is 1, 2, 3 or 4%s",
	                limen_value_type(value) == LIMEN_TYPE_STRING ? ", without quotes" : "");
}

static void
check_schema(const conf *files, limen_diag *diag)
{
	const conf_list *list = &files->sections[SECTION_SCHEMA];

	for (size_t i = 0; i < list->count; i++) {
		check_version(list->items[i].value, diag);
		if (!limen_value_equal(list->items[i].value, list->items[0].value))
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, list->items[i].value,
			               "schema differs from that of an earlier file");
	}
}

static void
check_once(const conf *files, section which, limen_diag *diag)
{
	const conf_list *list = &files->sections[which];

	for (size_t i = 1; i < list->count; i++) {
		place first = value_place(list->items[0].value);

		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, list->items[i].value,
		               "'%s' may appear only once; it is already in %s line %u",
		               rules[which].name, first.file == NULL ? "the policy" : first.file,
		               first.line);
	}
}

/* Schema versions before 'since' do not know the section: pScheduler refuses it there. */
static void
check_since(const conf *files, section which, limen_diag *diag)
{
	const conf_list *list = &files->sections[which];
	char hint[64];

	if (list->count == 0 || conf_schema(files) >= rules[which].since)
		return;
	snprintf(hint, sizeof(hint), "'%s' needs schema %d or later", rules[which].name,
	         rules[which].since);
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, list->items[0].root,
	               "Additional properties are not allowed ('%s' was unexpected)",
	               rules[which].name);
	limen_diag_hint(diag, "%s", hint);
}

void
conf_check(conf *files, limen_diag *diag)
{
	check_schema(files, diag);
	for (size_t i = 0; i < SECTION_COUNT; i++) {
		if (rules[i].once)
			check_once(files, (section)i, diag);
		check_since(files, (section)i, diag);
	}
	if (files->off_count == 1)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, files->off, "this file is turned off");
	else if (files->off_count > 1)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, files->off,
		               "this file and %zu more are turned off", files->off_count - 1);
}
