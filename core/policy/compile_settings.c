/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_settings.c - "settings", what holds for the whole process, and
 * "modules", where to look for more of them.
 */
#include <string.h>

#include "compile.h"
#include "option/option.h"

#define WORKERS_MAX 1024

static const char *const sandbox_words[] = { "process", "none", NULL };

static const char *const path_words[] = { "refuse", "raw", NULL };
static const char *const field_words[] = {
	[LIMEN_HTTP_FIELDS_DRAFT] = "draft",
	[LIMEN_HTTP_FIELDS_LEGACY] = "legacy",
	[LIMEN_HTTP_FIELDS_X_LEGACY] = "x-legacy",
	[LIMEN_HTTP_FIELDS_NONE] = "none",
	NULL,
};

typedef struct gate_fields {
	int paths;
	int fields;
} gate_fields;

static const limen_option gate_rows[] = {
	LIMEN_OPT_ENUM(gate_fields, paths, .key = "ambiguous-paths", .choices = path_words,
	               .help = "Whether HTTP requests whose path servers read in different ways are "
	                       "refused, or compared as they are"),
	LIMEN_OPT_ENUM(gate_fields, fields, .key = "headers", .choices = field_words,
	               .help = "The header fields that tell clients what is left of their rates"),
	LIMEN_OPT_END
};

static const limen_option settings_rows[] = {
	LIMEN_OPT_JSON(policy, timeout_option, .key = "timeout",
	               .help = "How long a decision may take that comes without a deadline"),
	LIMEN_OPT_INT(policy, workers, .key = "workers", .minimum = 1, .maximum = WORKERS_MAX,
	              .help = "Threads that run identifiers which wait for the network"),
	LIMEN_OPT_OBJECT(policy, gate_option, .key = "gate",
	                 .help = "How HTTP requests are decided for a proxy"),
	/* Modules read these with limen_opening_setting(). */
	LIMEN_OPT_DURATION(policy, checked.jq_timeout, .key = "jq-timeout", .minimum = 1000,
	                   .maximum = 3600 * LIMEN_SECOND,
	                   .help = "How long a jq script may run that has no timeout of its own"),
	LIMEN_OPT_ENUM(policy, checked.jq_sandbox, .key = "jq-sandbox",
	               .choices = sandbox_words,
	               .help = "Whether jq scripts run in worker processes, or in this one without bounds"),
	LIMEN_OPT_END
};

static const limen_option timeout_row =
	LIMEN_OPT_DURATION(policy, timeout, .key = "timeout", .minimum = 0);

/* A duration of zero meant "none" before there was a default. */
static void
compile_timeout(policy *loaded, const options_context *options)
{
	const char *text = limen_value_string(loaded->timeout_option, NULL);

	if (limen_value_type(loaded->timeout_option) == LIMEN_TYPE_NONE)
		return;
	if (text == NULL || strcmp(text, "none") != 0)
		option_duration(&timeout_row, loaded->timeout_option, &loaded->timeout, options);
	if (loaded->timeout == 0)
		loaded->timeout = TIMEOUT_NONE;
}

static void
compile_gate(policy *loaded, const options_context *options)
{
	gate_fields gate = { 0, 0 };

	if (limen_value_type(loaded->gate_option) == LIMEN_TYPE_OBJECT)
		options_fill(gate_rows, loaded->gate_option, &gate, options);
	loaded->raw_paths = gate.paths == 1;
	loaded->needs.fields = (uint32_t)gate.fields;
}

static void
compile_setting_members(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_SETTINGS];

	for (size_t i = 0; i < list->count; i++) {
		limen_value object = limen_value_get(list->items[i].root,
		                                     section_name(SECTION_SETTINGS));

		/* Members of one object follow each other; the object is filled once. */
		if (i > 0 && list->items[i - 1].root.node == list->items[i].root.node)
			continue;
		options_fill(settings_rows, object, context->policy, &context->options);
	}
	compile_timeout(context->policy, &context->options);
	compile_gate(context->policy, &context->options);
}

/* The engine's directories come first and last; the policy's stand between. */
static void
compile_module_path(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_MODULES];
	const module_path *base = &context->inputs->path;
	const char **directories = compile_alloc(context, base->count + list->count,
	                                         sizeof(*directories));
	size_t count = 0;

	if (directories == NULL)
		return;
	for (size_t i = 0; i + 1 < base->count; i++)
		directories[count++] = base->directories[i];
	for (size_t i = 0; i < list->count; i++) {
		limen_value value = list->items[i].value;
		const char *directory = limen_value_string(value, NULL);

		if (directory == NULL)
			problem_type(&context->options, value, "string");
		else
			directory = conf_resolve(&context->policy->owned.arena, value, directory);
		if (directory != NULL)
			directories[count++] = directory;
	}
	directories[count++] = base->directories[base->count - 1];
	context->policy->path = (module_path){ directories, count, base->added };
}

void
compile_settings(compile_context *context)
{
	compile_setting_members(context);
	compile_module_path(context);
}
