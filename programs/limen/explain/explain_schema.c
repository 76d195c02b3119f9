/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_schema.c - writes the options of a module as a JSON Schema (draft 2020-12) and as plain
 * JSON.  Owns the table of schemas by option type.
 */
#include <glib.h>
#include <stdio.h>

#include "cli/option_words.h"
#include "cli/yaml_out.h"
#include "common/json_out.h"
#include "explain.h"

/* Schemas of a pScheduler StringMatch and of a jq transform. */
#define MATCH_SCHEMA \
	"\"type\":\"object\",\"properties\":{" \
	"\"style\":{\"enum\":[\"exact\",\"contains\",\"regex\"]},\"match\":{\"type\":\"string\"}," \
	"\"case-insensitive\":{\"type\":\"boolean\"},\"invert\":{\"type\":\"boolean\"}}," \
	"\"patternProperties\":{\"^#\":true},\"additionalProperties\":false," \
	"\"required\":[\"style\",\"match\"]"
#define SCRIPT_SCHEMA \
	"\"type\":[\"string\",\"array\"],\"items\":{\"type\":\"string\"}"
#define TRANSFORM_SCHEMA \
	"\"type\":\"object\",\"properties\":{\"script\":{" SCRIPT_SCHEMA "}," \
	"\"args\":{\"type\":\"object\"},\"output-raw\":{\"type\":\"boolean\"}}," \
	"\"patternProperties\":{\"^#\":true},\"additionalProperties\":false," \
	"\"required\":[\"script\"]"

static void
append_number(GString *out, const limen_option *option)
{
	int64_t bound;

	json_write(out, "type:s", option->type == LIMEN_OPTION_REAL ? "number" : "integer");
	if (option_minimum(option, &bound))
		json_write(out, "minimum:i", bound);
	if (option_maximum(option, &bound))
		json_write(out, "maximum:i", bound);
}

/* Writes the members of the schema of an integer or a pair of bounds. */
static void
append_range(GString *out, const limen_option *option)
{
	g_autoptr(GString) integer = g_string_new("{");

	append_number(integer, option);
	g_string_append_c(integer, '}');
	json_write(out, "anyOf:[j{type:s properties:{lower:j upper:j} required:[ss]}]",
	           integer->str, "object", integer->str, integer->str, "lower", "upper");
}

static void
append_string(GString *out, const limen_option *option)
{
	g_autofree char *whole = option->pattern == NULL
	                                 ? NULL
	                                 : g_strdup_printf("^(?:%s)$", option->pattern);

	json_write(out, "type:s pattern:S", "string", whole);
}

static void
append_rows(GString *out, const limen_option *option)
{
	g_auto(option_table) rows = option_rows(NULL, option);

	explain_append_object(out, rows, NULL);
}

static void
append_words(GString *out, const limen_option *option)
{
	json_write(out, "enum:a", option->choices);
}

/* Schemas by type: members, or for those that depend on the row, who appends them. */
static const struct {
	const char *members;
	void (*append)(GString *out, const limen_option *option);
	bool list; /* they are about the elements of an array */
} schemas[] = {
	[LIMEN_OPTION_BOOL] = { .members = "\"type\":\"boolean\"" },
	[LIMEN_OPTION_DURATION] = { .members = "\"type\":\"string\",\"pattern\":\"^P\"" },
	[LIMEN_OPTION_TIMESTAMP] = { .members = "\"type\":\"string\"" },
	[LIMEN_OPTION_MATCH] = { .members = MATCH_SCHEMA },
	[LIMEN_OPTION_PATH] = { .members = "\"type\":\"string\",\"format\":\"json-pointer\"" },
	[LIMEN_OPTION_URL] = { .members = "\"type\":\"string\",\"format\":\"uri\"" },
	[LIMEN_OPTION_TRANSFORM] = { .members = TRANSFORM_SCHEMA },
	[LIMEN_OPTION_OBJECT] = { .members = "\"type\":\"object\"" },
	[LIMEN_OPTION_STORE] = { .members = "\"type\":\"string\"" },
	[LIMEN_OPTION_SCRIPT] = { .members = SCRIPT_SCHEMA },
	[LIMEN_OPTION_TIME_OF_DAY] = {
		.members = "\"type\":\"string\",\"pattern\":\"^(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?"
		           "|24:00(:00)?)$\"" },
	[LIMEN_OPTION_DATE] = { .members = "\"type\":\"string\",\"format\":\"date\","
	                                   "\"pattern\":\"^[0-9]{4}-[0-9]{2}-[0-9]{2}$\"" },
	[LIMEN_OPTION_STRING] = { .append = append_string },
	[LIMEN_OPTION_INT] = { .append = append_number },
	[LIMEN_OPTION_REAL] = { .append = append_number },
	[LIMEN_OPTION_ENUM] = { .append = append_words },
	[LIMEN_OPTION_STRINGS] = { .append = append_string, .list = true },
	[LIMEN_OPTION_INTS] = { .append = append_number, .list = true },
	[LIMEN_OPTION_RANGES] = { .append = append_range, .list = true },
	[LIMEN_OPTION_CIDRS] = { .members = "\"type\":\"string\"", .list = true },
	[LIMEN_OPTION_ROWS] = { .append = append_rows, .list = true },
};

static void
append_type(GString *out, const limen_option *option)
{
	bool known = option->type < G_N_ELEMENTS(schemas);
	bool list = known && schemas[option->type].list;

	if (list)
		json_write(out, "type:s items:{", "array");
	if (known && schemas[option->type].append != NULL)
		schemas[option->type].append(out, option);
	else if (known && schemas[option->type].members != NULL)
		json_raw(out, schemas[option->type].members);
	if (list)
		json_write(out, "}");
	if (list && option->minimum_count > 0)
		json_write(out, "minItems:i", (int64_t)option->minimum_count);
}

static void
append_default(GString *out, const limen_option *option)
{
	if (option->fallback == NULL)
		return;
	json_key(out, "default");
	if (option_default_is_json(option))
		json_raw(out, option->fallback);
	else
		json_string(out, option->fallback);
}

static void
append_property(GString *out, const limen_option *option)
{
	json_write(out, "@:{description:S", option->key, option->help);
	append_type(out, option);
	append_default(out, option);
	/* Secrets are write-only (JSON Schema 2020-12, Validation, section 9.4). */
	if (option->secret)
		json_write(out, "writeOnly:b", true);
	g_string_append_c(out, '}');
}

static void
append_required(GString *out, const limen_option *options)
{
	json_write(out, "required:[");
	for (const limen_option *row = options; row->type != LIMEN_OPTION_NONE; row++)
		if (row->required)
			json_string(out, row->key);
	g_string_append_c(out, ']');
}

void
explain_append_object(GString *out, const limen_option *options, const char *others)
{
	json_write(out, "type:s properties:{", "object");
	if (others != NULL)
		json_raw(out, others);
	for (const limen_option *row = options; row->type != LIMEN_OPTION_NONE; row++)
		append_property(out, row);
	g_string_append_c(out, '}');
	append_required(out, options);
	/* Members that begin with "#" are comments in a policy. */
	json_raw(out, "\"patternProperties\":{\"^#\":true},\"additionalProperties\":false");
}

void
explain_schema(const limen_module_info *module)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *title = g_strdup_printf("%s %s", limen_kind_name(module->kind),
	                                         module->type);
	g_auto(option_table) rows = option_rows(module, NULL);

	json_write(out, "{$schema:s title:s description:S", SCHEMA_DIALECT, title, module->summary);
	explain_append_object(out, rows, NULL);
	g_string_append_c(out, '}');
	json_print_pretty(out);
}

static void
append_bound(GString *out, const char *key, const limen_option *option,
             bool (*get)(const limen_option *option, int64_t *out))
{
	char text[LIMEN_DURATION_TEXT_MAX];
	int64_t bound;

	if (!get(option, &bound))
		return;
	json_key(out, key);
	if (option->type == LIMEN_OPTION_DURATION) {
		limen_duration_print(bound, text);
		json_string(out, text);
	} else {
		json_int(out, bound);
	}
}

/* Appends the options of 'module', or those in the table of its option 'parent'. */
static void
append_options(GString *out, const limen_module_info *module, const limen_option *parent)
{
	g_auto(option_table) rows = option_rows(module, parent);

	json_write(out, "options:[");
	for (const limen_option *option = rows; option->type != LIMEN_OPTION_NONE; option++) {
		json_write(out, "{key:s type:s required:b secret:b", option->key,
		           option_type_name(option), option->required, option->secret);
		append_bound(out, "minimum", option, option_minimum);
		append_bound(out, "maximum", option, option_maximum);
		if (option->minimum_count > 0)
			json_write(out, "minimum_count:i", (int64_t)option->minimum_count);
		json_write(out, "pattern:S", option->pattern);
		append_default(out, option);
		if (option->type == LIMEN_OPTION_ENUM)
			json_write(out, "enum:a", option->choices);
		if (option->type == LIMEN_OPTION_ROWS)
			append_options(out, NULL, option);
		json_write(out, "help:s}", option->help);
	}
	g_string_append_c(out, ']');
}

void
explain_json(const limen_module_info *module)
{
	g_autoptr(GString) out = g_string_new(NULL);
	char abi[32];

	g_snprintf(abi, sizeof(abi), "%u.%u", module->abi_major, module->abi_minor);
	json_write(out, "{kind:s type:s version:s abi:s file:s summary:s",
	           limen_kind_name(module->kind), module->type, module->version, abi,
	           module->file, module->summary);
	append_options(out, module, NULL);
	g_string_append_c(out, '}');
	puts(out->str);
}
