/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.c - creates engines and loads policies into them.  The module path comes from
 * --module-path and LIMEN_MODULE_PATH.  Each load waits up to 30 s for downloads.  Lack of memory
 * ends the program.
 */
#include "policy.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/message.h"
#include "common/auto.h"
#include "common/exit_guard.h"
#include "common/help.h"
#include "common/policy_url.h"
#include "problems.h"

/* Longest wait for lists that modules download. */
#define DOWNLOADS_MAX (30 * LIMEN_SECOND)

const char *
policy_default(void)
{
	const char *chosen = getenv("LIMEN_POLICY");

	return chosen != NULL && chosen[0] != '\0' ? chosen : LIMEN_CONFDIR;
}

/* Prints the errors and warnings of modules; other levels are for the logs of daemons. */
static void
print_log(void *data, limen_log_level level, const char *source, const char *text)
{
	(void)data;
	if (level == LIMEN_LOG_ERROR)
		message_error("%s: %s", source == NULL ? "engine" : source, text);
	else if (level == LIMEN_LOG_WARNING)
		message_error("warning: %s: %s", source == NULL ? "engine" : source, text);
}

static void G_GNUC_NORETURN
end_without_memory(void)
{
	message_error("out of memory");
	exit_guard_end();
	exit(STATUS_ERROR);
}

limen_engine *
policy_engine_for(const common_options *common, unsigned flags, const char *namespace)
{
	g_autofree char *path = help_module_path(common->module_path);
	/* Policy texts come from URLs, pipes and lines of a batch, so they are untrusted. */
	limen_engine_options options = { .size = sizeof(options),
		.flags = flags | LIMEN_ENGINE_FOREIGN_TEXTS,
		.log = print_log, .manifest_namespace = namespace, .module_path = path };
	limen_engine *engine = limen_engine_new(&options);

	if (engine == NULL)
		end_without_memory();
	return engine;
}

limen_engine *
policy_engine(const common_options *common, unsigned flags)
{
	return policy_engine_for(common, flags, NULL);
}

limen_diag *
policy_diag(void)
{
	limen_diag *diag = limen_diag_new();

	if (diag == NULL)
		end_without_memory();
	return diag;
}

/* ---- describing ---- */

limen_documents *
policy_describe(limen_engine *engine)
{
	size_t length = 0;
	g_auto(heap_text) text = limen_engine_describe(engine, 0, &length);
	limen_documents *parsed = NULL;

	if (text == NULL || limen_documents_parse("policy.json", text, length, 0, &parsed, NULL) !=
	                            LIMEN_OK)
		end_without_memory();
	return parsed;
}

/* Only objects with a type are entries: a section may have an entry called "tables". */
static bool
has_tables(limen_value entry)
{
	return limen_value_type(limen_value_get(entry, "type")) == LIMEN_TYPE_STRING &&
	       limen_value_count(limen_value_get(entry, "tables")) > 0;
}

/* Sections are objects of entries; a rewriter and a prioritizer are entries themselves. */
static bool
section_counts(limen_value section)
{
	limen_value entry;

	if (limen_value_type(section) != LIMEN_TYPE_OBJECT)
		return false;
	if (has_tables(section))
		return true;
	for (limen_iter iter = limen_iter_start(section); limen_iter_next(&iter, NULL, &entry);)
		if (limen_value_type(entry) == LIMEN_TYPE_OBJECT && has_tables(entry))
			return true;
	return false;
}

bool
policy_counts(limen_engine *engine)
{
	g_autoptr(limen_documents) described = policy_describe(engine);
	limen_iter iter = limen_iter_start(limen_documents_get(described, 0));
	limen_value section;
	bool counts = false;

	while (!counts && limen_iter_next(&iter, NULL, &section))
		counts = section_counts(section);
	return counts;
}

/* ---- loading ---- */

bool
policy_is_stream(const char *path)
{
	struct stat facts;

	return input_is_stdin(path) ||
	       (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode));
}

/* Reports a failure without a problem as one; a problem means failure (limen/diag.h). */
static bool
judge(int result, limen_diag *diag, const char *why)
{
	bool has_problem = limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0;

	if (result == LIMEN_OK)
		return !has_problem;
	if (why == NULL && !has_problem)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(result));
	return false;
}

/* Warns of lists that are not downloaded yet: the first decisions are made without them. */
static bool
conclude(limen_engine *engine, int result, limen_diag *diag, const char *why)
{
	if (!judge(result, diag, why))
		return false;
	if (!limen_engine_wait_ready(engine, DOWNLOADS_MAX))
		message_error("warning: something is still being downloaded after 30 seconds");
	return true;
}

static int
load_path(limen_engine *engine, const char *path, limen_diag *diag, char **why)
{
	g_autofree char *url = NULL;
	g_autoptr(GString) content = NULL;

	/* A pipe ("limen validate <(make-policy)") can be read only once. */
	if (policy_is_stream(path)) {
		content = input_read(path, why);
		return content == NULL ? LIMEN_EIO
		                       : limen_engine_load_text(engine, input_name(path), content->str,
		                                                content->len, diag);
	}
	if (policy_url_is(path))
		return policy_url_load(engine, path, diag);
	if (access(path, R_OK) != 0) {
		*why = g_strdup_printf("%s: %s%s", path, g_strerror(errno),
		                       g_str_equal(path, LIMEN_CONFDIR)
		                               ? "; name a policy, or set LIMEN_POLICY"
		                               : "");
		return LIMEN_EIO;
	}
	url = policy_url_in_file(path, diag);
	return url == NULL ? limen_engine_load(engine, path, diag)
	                   : policy_url_load(engine, url, diag);
}

bool
policy_load(limen_engine *engine, const char *path, limen_diag *diag, char **why)
{
	g_autofree char *cause = NULL;
	int result = load_path(engine, path, diag, &cause);

	/* pScheduler's words. */
	if (cause != NULL)
		*why = g_strconcat("Unable to read input: ", cause, NULL);
	return conclude(engine, result, diag, *why);
}

bool
policy_load_files(limen_engine *engine, const char *const *paths, size_t count, limen_diag *diag)
{
	return conclude(engine, limen_engine_load_files(engine, paths, count, diag), diag, NULL);
}

bool
policy_load_text(limen_engine *engine, const char *text, size_t length, limen_diag *diag)
{
	return conclude(engine, limen_engine_load_text(engine, NULL, text, length, diag), diag,
	                NULL);
}

bool
policy_load_all(limen_engine *engine, char *const *paths, limen_diag *diag, char **why)
{
	if (paths == NULL || paths[1] == NULL)
		return policy_load(engine, paths == NULL ? policy_default() : paths[0], diag, why);
	*why = policy_url_among(paths);
	for (size_t i = 0; *why == NULL && paths[i] != NULL; i++)
		if (policy_is_stream(paths[i]))
			*why = g_strdup_printf("several --policy must be files or directories, not "
			                       "%s", input_name(paths[i]));
	return *why == NULL && policy_load_files(engine, (const char *const *)paths,
	                                         g_strv_length((char **)paths), diag);
}

char *
policy_names(char *const *paths)
{
	return paths == NULL ? g_strdup(policy_default()) : g_strjoinv(", ", (char **)paths);
}

limen_documents *
policy_peek(const char *path)
{
	g_autofree char *why = NULL;
	g_autoptr(GString) text = policy_is_stream(path) ? NULL : input_read(path, &why);
	limen_documents *parsed = NULL;

	if (text != NULL)
		limen_documents_parse(path, text->str, text->len, 0, &parsed, NULL);
	return parsed;
}

bool
policy_open(limen_engine *engine, char *const *paths)
{
	g_autoptr(limen_diag) diag = policy_diag();
	g_autofree char *why = NULL;

	if (policy_load_all(engine, paths, diag, &why))
		return true;
	if (why != NULL)
		message_error("%s", why);
	problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
	return false;
}
