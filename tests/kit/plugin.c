/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c - runs tables of cases through a kit and words what went wrong. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

void
plugin_assert(bool passed, const char *file, unsigned line, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	CU_assertImplementation(passed ? CU_TRUE : CU_FALSE, line, text, file, "", CU_FALSE);
}

static const char *
verdict_name(limen_verdict verdict)
{
	static const char *const names[] = {
		[LIMEN_ERROR] = "ERROR",
		[LIMEN_PASS] = "PASS",
		[LIMEN_FAIL] = "FAIL",
		[LIMEN_SKIP] = "SKIP"
	};

	return (size_t)verdict < sizeof names / sizeof names[0] ? names[verdict] : "?";
}

/* Returns a new kit, with the result of opening the instance in it. */
static limen_kit *
make_kit(limen_kind kind, const char *type, const char *data, int *result)
{
	limen_kit *kit = limen_kit_new(NULL);

	ASSERT(kit != NULL, "no kit");
	if (kit != NULL)
		*result = limen_kit_open(kit, kind, type, data);
	return kit;
}

limen_kit *
plugin_open(limen_kind kind, const char *type, const char *data)
{
	int result = LIMEN_ENOMEM;
	limen_kit *kit = make_kit(kind, type, data, &result);

	if (kit == NULL || result == LIMEN_OK)
		return kit;
	ASSERT(false, "%s does not open with %s: %s", type, data, limen_kit_problems(kit));
	limen_kit_free(kit);
	return NULL;
}

void
plugin_ask(limen_kit *kit, const struct plugin_case *question)
{
	const char *wanted = question->reason != NULL ? question->reason : "";
	limen_verdict verdict = limen_kit_run(kit, question->document, question->hints);

	ASSERT(verdict == question->verdict, "%s: %s, want %s (%s)", question->about,
	       verdict_name(verdict), verdict_name(question->verdict), limen_kit_reason(kit));
	ASSERT(strcmp(limen_kit_reason(kit), wanted) == 0, "%s: reason '%s', want '%s'",
	       question->about, limen_kit_reason(kit), wanted);
}

void
plugin_check(limen_kind kind, const char *type, const char *data,
             const struct plugin_case *cases)
{
	limen_kit *kit = plugin_open(kind, type, data);

	if (kit == NULL)
		return;
	for (; cases->about != NULL; cases++)
		plugin_ask(kit, cases);
	limen_kit_free(kit);
}

void
plugin_refuse(limen_kind kind, const char *type, const char *data, const char *text)
{
	int result = LIMEN_OK;
	limen_kit *kit = make_kit(kind, type, data, &result);

	if (kit == NULL)
		return;
	ASSERT(result != LIMEN_OK, "%s opens with %s", type, data);
	ASSERT(strstr(limen_kit_problems(kit), text) != NULL, "no '%s' about %s: %s", text, data,
	       limen_kit_problems(kit));
	limen_kit_free(kit);
}

void
plugin_remark(limen_kind kind, const char *type, const char *data, const char *text)
{
	limen_kit *kit = plugin_open(kind, type, data);
	const char *problems;

	if (kit == NULL)
		return;
	problems = limen_kit_problems(kit);
	ASSERT(text[0] == '\0' ? problems[0] == '\0' : strstr(problems, text) != NULL,
	       "no '%s' about %s: %s", text, data, problems);
	limen_kit_free(kit);
}

void
plugin_load_example(limen_kind kind, const char *type)
{
	/* Passive, as an example may name real servers. */
	limen_engine_options options = {
		.size = sizeof options,
		.module_path = getenv("LIMEN_MODULE_PATH"),
		.flags = LIMEN_ENGINE_PASSIVE
	};
	const char *srcdir = getenv("LIMEN_SRCDIR");
	limen_engine *engine = limen_engine_new(&options);
	limen_diag *diag = limen_diag_new();
	char path[4096];
	int result;

	snprintf(path, sizeof path, "%s/plugins/%s/%s/example.json",
	         srcdir != NULL ? srcdir : ".", limen_kind_name(kind), type);
	result = limen_engine_load(engine, path, diag);
	ASSERT(result == LIMEN_OK, "%s does not load", path);
	ASSERT(limen_diag_count(diag, LIMEN_SEVERITY_WARNING) == 0, "%s loads with a warning",
	       path);
	limen_diag_free(diag);
	limen_engine_free(engine);
}
