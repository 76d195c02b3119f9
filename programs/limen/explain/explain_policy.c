/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_policy.c - writes the JSON Schema of a whole policy.  The keys of entries come from
 * limen, and the options of each type from its module.  A type that is not installed is accepted
 * with any options: an editor cannot know every module.
 */
#include <string.h>

#include "cli/option_words.h"
#include "cli/yaml_out.h"
#include "common/json_out.h"
#include "explain.h"

#define LIST(entry) "\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/" entry "\"}"
#define LIST_OF(entry, help) "{\"description\":\"" help "\"," LIST(entry) "}"
#define WORDS(words, help) \
	"{\"description\":\"" help "\",\"type\":\"array\",\"items\":{\"enum\":[" words "]}}"

/* Schemas of the sections.  "settings" is read by the process and by modules. */
static const char sections[] =
	"\"schema\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":4,"
	"\"description\":\"Version of the pScheduler limit document\"},"
	"\"enabled\":{\"type\":\"boolean\",\"default\":true,"
	"\"description\":\"false leaves this file out\"},"
	"\"identifiers\":" LIST_OF("identifier", "Who is asking") ","
	"\"classifiers\":" LIST_OF("classifier", "How identifiers are grouped") ","
	"\"rewrite\":{\"description\":\"How tasks are changed before limits run\","
	"\"$ref\":\"#/$defs/rewriter\"},"
	"\"limits\":" LIST_OF("limit", "The limits by name") ","
	"\"applications\":" LIST_OF("application", "Which limits apply to which classifiers") ","
	"\"priority\":{\"description\":\"Which runs win\",\"$ref\":\"#/$defs/prioritizer\"},"
	"\"stores\":{\"description\":\"Where counts are kept, by name\",\"type\":\"object\","
	"\"patternProperties\":{\"^#\":true},"
	"\"additionalProperties\":{\"$ref\":\"#/$defs/store\"}},"
	"\"modules\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
	"\"description\":\"Directories in which modules are looked for\"},"
	"\"settings\":{\"type\":\"object\",\"description\":\"Settings of the whole process\"},"
	"\"admission\":{\"description\":\"The entries that decide Kubernetes objects\","
	"\"anyOf\":[{\"$ref\":\"#/$defs/admission\"},{" LIST("admission") "}]},"
	"\"applications-on\":"
	WORDS("\"tasks\",\"objects\",\"http\"", "Subjects that applications decide") ","
	"\"admission-on\":"
	WORDS("\"tasks\",\"objects\"", "Subjects that admission entries decide") ","
	"\"templates\":{\"description\":\"Where kinds of workloads have pod templates\","
	"\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"group\":{\"type\":\"string\",\"description\":\"API group of the kind\"},"
	"\"kind\":{\"type\":\"string\",\"description\":\"Kind of the workload\"},"
	"\"path\":{\"type\":\"string\",\"description\":\"Field with the template, such as "
	"spec.tasks[].template\"}},\"patternProperties\":{\"^#\":true},"
	"\"required\":[\"group\",\"kind\",\"path\"],\"additionalProperties\":false}}";

/* The form of the entries of a kind: the key of the type, and the place of the options. */
typedef struct entry_form {
	limen_kind kind;
	const char *section; /* whose entries it has; NULL: the options are beside the type */
	const char *type_key;
	const char *fallback;  /* the type of an entry that names none, or NULL */
	const char *others;    /* more properties, as JSON text */
	const char *condition; /* the options are checked only if this holds */
	const char *required[2]; /* further required keys: one of these lists, as JSON text */
} entry_form;

static const entry_form forms[] = {
	{ LIMEN_KIND_IDENTIFIER, "identifiers", "type", NULL, "\"data\":true", NULL,
	  { "[\"type\"]" } },
	{ LIMEN_KIND_REWRITER, NULL, "type", "jq", NULL, NULL, { NULL } },
	/* The data of a clone is merged into that of another limit. */
	{ LIMEN_KIND_LIMIT, "limits", "type", NULL, "\"data\":true",
	  "\"not\":{\"required\":[\"clone\"]}", { "[\"type\"]", "[\"clone\"]" } },
	{ LIMEN_KIND_ADMISSION, "admission", "plugin", NULL, "\"data\":{\"type\":\"object\"}",
	  "\"not\":{\"properties\":{\"manifests\":{\"const\":true}},\"required\":[\"manifests\"]}",
	  { "[\"plugin\"]" } },
	{ LIMEN_KIND_PRIORITIZER, NULL, "type", "jq", "\"default\":{\"type\":\"number\"}", NULL,
	  { NULL } },
	{ LIMEN_KIND_STORE, "stores", "type", NULL, "\"data\":{\"type\":\"object\"}", NULL,
	  { "[\"type\"]" } },
};

/*
 * Returns the keys of the entries in a section of a policy (NULL: none), to g_free(), without
 * those that are spelled out in this file.
 */
static limen_option *
read_rows(const char *section)
{
	static const char *const spelled_out[] = { "type", "plugin", "data", "apply", NULL };
	static const limen_option end = LIMEN_OPT_END;
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(end));
	const limen_option *row;

	for (size_t i = 0; (row = limen_policy_option(section, i)) != NULL; i++)
		if (!g_strv_contains(spelled_out, row->key))
			g_array_append_vals(rows, row, 1);
	g_array_append_val(rows, end);
	return (limen_option *)(void *)g_array_free(rows, FALSE);
}

/* Appends the members of the schema of the entries in a section, as explain_append_object(). */
static void
append_section(GString *out, const char *section, const char *others)
{
	g_auto(option_table) rows = read_rows(section);

	explain_append_object(out, rows, others);
}

static const limen_module_info *
next_of(const module_catalog *catalog, limen_kind kind, guint *index)
{
	while (*index < catalog->modules->len) {
		const limen_module_info *module = catalog->modules->pdata[*index];

		++*index;
		if (module->kind == kind)
			return module;
	}
	return NULL;
}

/*
 * Returns the properties of an entry that its rows do not list.  The type may be any text; the
 * installed types are for completion in editors.
 */
static char *
make_others(const entry_form *form, const module_catalog *catalog)
{
	g_autoptr(GString) others = g_string_new("{");
	const limen_module_info *module;
	guint index = 0;

	json_key(others, form->type_key);
	json_raw(others, "{\"anyOf\":[{\"enum\":[");
	while ((module = next_of(catalog, form->kind, &index)) != NULL)
		json_string(others, module->type);
	g_string_append(others, "]},{\"type\":\"string\"}]}");
	if (form->others != NULL)
		json_raw(others, form->others);
	return g_strdup(others->str + 1);
}

/* Returns true if one of the options must be given. */
static bool
needs_data(const limen_option *rows)
{
	while (rows->type != LIMEN_OPTION_NONE && !rows->required)
		rows++;
	return rows->required;
}

/* Appends a condition: an entry of this type has these options. */
static void
append_case(GString *out, const entry_form *form, const limen_module_info *module,
            const char *others)
{
	g_auto(option_table) rows = option_rows(module, NULL);
	bool named = form->fallback == NULL || strcmp(module->type, form->fallback) != 0;
	bool inside = form->section == NULL;

	json_write(out, "{if:{properties:{@:{const:s}}", form->type_key, module->type);
	if (named)
		json_write(out, "required:[s]", form->type_key);
	if (form->condition != NULL)
		json_raw(out, form->condition);
	g_string_append(out, "},\"then\":");
	if (!inside)
		g_string_append(out, "{\"properties\":{\"data\":");
	json_open(out, '{');
	json_write(out, "description:S", module->summary);
	explain_append_object(out, rows, inside ? others : NULL);
	g_string_append(out, inside ? "}}" : needs_data(rows) ? "}},\"required\":[\"data\"]}}"
	                                                            : "}}}}");
}

/* Appends the further required keys; "required" already holds those of the rows. */
static void
append_also_required(GString *out, const char *const lists[2])
{
	if (lists[0] == NULL)
		return;
	json_write(out, "anyOf:[");
	for (int i = 0; i < 2 && lists[i] != NULL; i++)
		json_write(out, "{required:j}", lists[i]);
	json_write(out, "]");
}

/* Appends one member of "$defs": the entry of a kind of module. */
static void
append_entry(GString *out, const entry_form *form, const module_catalog *catalog)
{
	g_autofree char *others = make_others(form, catalog);
	const limen_module_info *module;
	guint index = 0;

	json_write(out, "@:{", limen_kind_name(form->kind));
	if (form->section == NULL)
		json_write(out, "type:s", "object");
	else
		append_section(out, form->section, others);
	json_write(out, "allOf:[");
	while ((module = next_of(catalog, form->kind, &index)) != NULL)
		append_case(out, form, module, others);
	json_write(out, "]");
	append_also_required(out, form->required);
	g_string_append_c(out, '}');
}

/* Appends the entry of a section without modules. */
static void
append_plain(GString *out, const char *name, const char *section, const char *others,
             const char *required)
{
	const char *const lists[2] = { required, NULL };

	json_write(out, "@:{", name);
	append_section(out, section, others);
	append_also_required(out, lists);
	g_string_append_c(out, '}');
}

void
explain_policy_schema(const module_catalog *catalog)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{$schema:s title:s description:s", SCHEMA_DIALECT, "limen policy",
	           "A file of a policy; several make one together");
	append_section(out, NULL, sections);
	json_write(out, "$defs:{");
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
		append_entry(out, &forms[i], catalog);
	append_plain(out, "classifier", "classifiers", NULL, NULL);
	append_plain(out, "application", "applications",
	             "\"apply\":{\"type\":\"array\",\"items\":{\"anyOf\":["
	             "{\"$ref\":\"#/$defs/group\"},{\"type\":\"string\"}]}}",
	             "[\"apply\"]");
	append_plain(out, "group", "apply", NULL, NULL);
	g_string_append(out, "}}");
	json_print_pretty(out);
}
