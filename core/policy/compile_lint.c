/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_lint.c - warns of parts of a valid policy that have no effect, admit everything or can
 * be evaded.  Warnings never change a result.
 */
#include <limen/string_match.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "compile.h"
#include "module/module.h"

/* The number of later applications that each is compared with: bounds the time of large policies. */
#define NEXT_MAX 64

static void
note_unused(compile_context *context, bool used, const char *noun, const char *name,
            limen_value where)
{
	if (!used)
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, where,
		               "nothing uses the %s '%s'", noun, name);
}

/* Scripts see the names of all identifiers and classifiers, so with scripts all are used. */
static void
note_unused_names(compile_context *context)
{
	const policy *loaded = context->policy;
	bool scripts = loaded->rewriter != NULL || loaded->prioritizer != NULL;

	for (size_t i = 0; !scripts && i < loaded->identifiers.count; i++)
		note_unused(context, loaded->identifiers.items[i].used, "identifier",
		            loaded->identifiers.items[i].name, loaded->identifiers.items[i].where);
	for (size_t i = 0; !scripts && i < loaded->classifier_count; i++)
		note_unused(context, loaded->classifiers[i].used, "classifier",
		            loaded->classifiers[i].name, loaded->classifiers[i].where);
	for (size_t i = 0; i < loaded->limits.count; i++)
		note_unused(context, loaded->limits.items[i].used, "limit",
		            loaded->limits.items[i].name, loaded->limits.items[i].where);
}

static void
add_code(strbuf *code, const char *text)
{
	for (bool quoted = false; text != NULL && *text != '\0'; text++) {
		if (*text == '#' && !quoted)
			text += strcspn(text, "\n");
		if (*text == '\0')
			break;
		quoted ^= *text == '"';
		strbuf_addc(code, *text);
		if (*text == '\\' && quoted && text[1] != '\0')
			strbuf_addc(code, *++text);
	}
	strbuf_addc(code, '\n');
}

char *
compile_script_code(limen_value script)
{
	limen_iter iter = limen_iter_start(script);
	strbuf code = STRBUF_INIT;
	limen_value line;

	if (limen_value_type(script) != LIMEN_TYPE_ARRAY)
		add_code(&code, limen_value_string(script, NULL));
	else
		while (limen_iter_next(&iter, NULL, &line))
			add_code(&code, limen_value_string(line, NULL));
	return strbuf_steal(&code, NULL);
}

static bool
counts(const entry *limit)
{
	return limit->instance->tables != NULL;
}

/* Returns true if 'limit' counts runs, or may.  An inverted rate counts nothing. */
static bool
counts_runs(const entry *limit)
{
	limen_value count = limen_value_get(limit->data, "count");

	if (strcmp(limit->type, "rate") != 0)
		return counts(limit);
	return !limit->invert && limen_value_exists(count) && !limen_value_is(count, "tasks");
}

/* Returns the first limit of 'target' that counts, such as a rate, or NULL. */
static const entry *
find_limit(const policy *loaded, const application *target, bool (*counts_it)(const entry *limit))
{
	for (size_t i = 0; i < target->group_count; i++) {
		const index_list *list = &target->groups[i].limits;

		for (size_t k = 0; k < list->count; k++)
			if (counts_it(&loaded->limits.items[list->items[k]]))
				return &loaded->limits.items[list->items[k]];
	}
	return NULL;
}

/* Sets or clears the marks of the limits that 'target' asks for. */
static void
mark(const application *target, bool *marks, bool set)
{
	for (size_t i = 0; i < target->group_count; i++)
		for (size_t k = 0; k < target->groups[i].limits.count; k++)
			marks[target->groups[i].limits.items[k]] = set;
}

/* Returns true if all groups of 'target' require all of their limits. */
static bool
requires_all(const application *target)
{
	for (size_t i = 0; i < target->group_count; i++)
		if (target->groups[i].require != REQUIRE_ALL)
			return false;
	return true;
}

/* Returns true for a limit that passes always: of type pass-fail, or the script "true" or "false". */
static bool
always_passes(const entry *limit)
{
	static const char blanks[] = " \t\r\n";
	const char *word = limit->invert ? "false" : "true";
	char *code = compile_script_code(limen_value_get(limit->data, "script"));
	const char *at = code == NULL ? "" : code + strspn(code, blanks);
	size_t length = strcspn(at, blanks);
	bool pass = strcmp(limit->type, "jq") == 0 && length == strlen(word) &&
	            strncmp(at, word, length) == 0 && at[length + strspn(at + length, blanks)] == '\0';
	bool given;

	free(code);
	if (strcmp(limit->type, "pass-fail") == 0 &&
	    limen_value_bool(limen_value_get(limit->data, "pass"), &given))
		pass = given != limit->invert;
	return pass;
}

/* Returns true if 'target' applies to every requester. */
static bool
is_for_everybody(const policy *loaded, const application *target)
{
	const classifier *members;

	if (target->classifier == CLASSIFIER_ANYONE)
		return true;
	members = &loaded->classifiers[target->classifier];
	for (size_t i = 0; members->require == REQUIRE_ANY && i < members->identifiers.count; i++) {
		const entry *identifier = &loaded->identifiers.items[members->identifiers.items[i]];

		if (strcmp(identifier->type, "always") == 0 && !identifier->invert)
			return true;
	}
	return false;
}

/* Returns true if 'later' requires only limits of 'earlier', which have marks, and counts nothing. */
static bool
readmits(const policy *loaded, const application *later, const application *earlier,
         const bool *marks)
{
	if (later->observes || later->invert || !requires_all(later) || find_limit(loaded, later, counts) != NULL ||
	    (later->classifier != earlier->classifier && !is_for_everybody(loaded, later)))
		return false;
	for (size_t i = 0; i < later->group_count; i++) {
		const index_list *list = &later->groups[i].limits;

		for (size_t k = 0; k < list->count; k++)
			if (!marks[list->items[k]] &&
			    !always_passes(&loaded->limits.items[list->items[k]]))
				return false;
	}
	return true;
}

/* 'marks' has a place for each limit, and all are clear. */
static void
warn_of_readmission(compile_context *context, size_t number, const entry *rate, bool *marks)
{
	const policy *loaded = context->policy;
	const application *earlier = &loaded->applications[number];

	mark(earlier, marks, true);
	for (size_t i = number + 1; i < loaded->application_count && i <= number + NEXT_MAX; i++) {
		if (!readmits(loaded, &loaded->applications[i], earlier, marks))
			continue;
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, earlier->where,
		               "application %zu admits what limit '%s' refuses here", i + 1,
		               rate->name);
		limen_diag_hint(context->diag, "\"stop-on-failure\": true makes the refusal final");
		break;
	}
	mark(earlier, marks, false);
}

/* Returns true if the limits of 'required' meet it whatever the request is. */
static bool
is_always_met(const policy *loaded, const group *required)
{
	size_t passing = 0;

	for (size_t i = 0; i < required->limits.count; i++)
		passing += always_passes(&loaded->limits.items[required->limits.items[i]]);
	if (required->require == REQUIRE_ALL)
		return passing == required->limits.count;
	return required->require == REQUIRE_ANY && passing > 0;
}

/* Returns true if 'target' passes every request of its requesters. */
static bool
admits_always(const policy *loaded, const application *target)
{
	for (size_t i = 0; i < target->group_count; i++)
		if (!is_always_met(loaded, &target->groups[i]))
			return false;
	return !target->invert;
}

/* Warns of applications behind one that admits all of their requesters. */
static void
warn_of_unreachable(compile_context *context)
{
	const policy *loaded = context->policy;
	/* By classifier, and last for everybody: the number of the application that admits them. */
	size_t everybody = loaded->classifier_count;
	size_t *admitting = compile_alloc(context, everybody + 1, sizeof(*admitting));

	for (size_t i = 0; admitting != NULL && i < loaded->application_count; i++) {
		const application *current = &loaded->applications[i];
		const entry *rate = find_limit(loaded, current, counts);
		size_t index = is_for_everybody(loaded, current) ? everybody : current->classifier;
		size_t number = admitting[everybody] > 0 ? admitting[everybody] : admitting[index];

		if (number > 0)
			limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, current->where,
			               "no request reaches this application: application %zu "
			               "admits all of its requesters%s%s%s",
			               number, rate == NULL ? "" : ", so limit '",
			               rate == NULL ? "" : rate->name,
			               rate == NULL ? "" : "' counts nothing");
		else if (!current->observes && admits_always(loaded, current))
			admitting[index] = i + 1;
	}
}

/* Parameters without which a test has no bound: pScheduler 4 passed its tools the one of the limit. */
static const struct {
	const char *test;
	const char *parameter;
} unbounded[] = {
	{ "throughput", "bandwidth" },
	{ "latencybg", "duration" },
};

/* Returns true if 'code' sets the key 'name', passes it to a function, or rejects without it. */
static bool
sets_key(const char *code, const char *name)
{
	static const char format[] = "(?s)(^|[^a-zA-Z0-9_])%1$s[\\])\"\\s]*([-|/+*?]*=[^=]|:)"
	                             "|\"%1$s\"[\\])\\s]*[;,]"
	                             "|reject\\(.*[.]%1$s[\\])\\s]*(==|[|]|then)"
	                             "|[.]%1$s[\\])\\s]*(==|[|]|then).*reject\\(";
	char pattern[sizeof(format) + 4 * 16];
	int length = snprintf(pattern, sizeof(pattern), format, name);
	limen_string_match *search = NULL;
	bool found;

	if (limen_string_match_new(LIMEN_MATCH_REGEX, pattern, (size_t)length, 0, &search, NULL) !=
	    LIMEN_OK)
		return false;
	found = limen_string_match_test(search, code, strlen(code)) != LIMEN_FAIL;
	limen_string_match_free(search);
	return found;
}

/* Warns of limits of type "test" whose range tasks evade by leaving the parameter out. */
static void
warn_of_unbounded(compile_context *context, const char *test, const char *parameter)
{
	const entry_list *limits = &context->policy->limits;
	const entry *rewriter = context->policy->rewriter;
	bool is_jq = rewriter != NULL && strcmp(rewriter->type, "jq") == 0;
	char *code = is_jq ? compile_script_code(limen_value_get(rewriter->where, "script")) : NULL;
	bool is_set = is_jq ? code != NULL && sets_key(code, parameter) : rewriter != NULL;

	for (size_t i = 0; !is_set && i < limits->count; i++) {
		limen_value data = limits->items[i].data;
		limen_value bound = limen_value_get(limen_value_get(data, "limit"), parameter);
		limen_value upper = limen_value_get(limen_value_get(bound, "range"), "upper");
		char *value = limen_value_to_json(upper, 0, NULL);

		if (strcmp(limits->items[i].type, "test") == 0 && !limits->items[i].invert &&
		    limen_value_exists(upper) &&
		    limen_value_is(limen_value_get(data, "test"), test) && value != NULL) {
			limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, bound,
			               "Limit '%s' does not bind a task that does not name '%s'; "
			               "pScheduler 4's tools kept to the bound",
			               limits->items[i].name, parameter);
			limen_diag_hint(context->diag,
			                "set it in \"rewrite\": if .test.type == \"%s\" and "
			                ".test.spec.%s == null then .test.spec.%s = %s | "
			                "change(\"Set the %s\") else . end",
			                test, parameter, parameter, value, parameter);
		}
		free(value);
	}
	free(code);
}

/* Returns "applications", if it is an empty list although there are limits, or none. */
static limen_value
find_empty_applications(const policy *loaded)
{
	limen_value found = limen_value_none();

	if (loaded->application_count > 0 || loaded->limits.count == 0)
		return found;
	for (size_t i = 0; i < loaded->files->document_count && !limen_value_exists(found); i++)
		found = limen_value_get(document_root(loaded->files->documents[i]), "applications");
	return found;
}

static void
warn_of_empty(compile_context *context)
{
	const policy *loaded = context->policy;
	limen_value applications = find_empty_applications(loaded);
	size_t observing = 0;

	for (size_t i = 0; i < loaded->classifier_count; i++) {
		const classifier *current = &loaded->classifiers[i];
		bool never = current->require == REQUIRE_ANY || current->require == REQUIRE_ONE;

		if (current->identifiers.count == 0)
			limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING,
			               limen_value_get(current->where, "identifiers"),
			               "the classifier '%s' has no identifiers, so it matches %s",
			               current->name, never ? "no requester" : "every requester");
	}
	for (size_t i = 0; i < loaded->application_count; i++)
		observing += loaded->applications[i].observes;
	if (observing > 0 && observing == loaded->application_count)
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, loaded->applications[0].where,
		               "all applications have \"enforce\": \"audit\", so none admits a "
		               "request");
	if (limen_value_exists(applications))
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, applications,
		               "'applications' is empty, so every task is refused and no limit is "
		               "checked");
}

/* Warns once for each limit of 'target' that counts tasks only; 'told' has a place for each. */
static void
warn_of_tasks(compile_context *context, const application *target, bool *told)
{
	const policy *loaded = context->policy;

	for (size_t i = 0; i < target->group_count; i++) {
		const index_list *list = &target->groups[i].limits;

		for (size_t k = 0; k < list->count; k++) {
			const entry *limit = &loaded->limits.items[list->items[k]];

			/* Inverted rates have a warning of their own. */
			if (told[list->items[k]] || strcmp(limit->type, "rate") != 0 || limit->invert)
				continue;
			told[list->items[k]] = true;
			limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, limit->where,
			               "limit '%s' counts tasks only: a task that repeats is "
			               "counted once, and its runs are not", limit->name);
			limen_diag_hint(context->diag,
			                "\"count\": \"both\" counts tasks and runs");
		}
	}
}

/*
 * Warns of rates that count tasks where nothing counts runs.  Other applications do not help:
 * what one of them passes is admitted at once.
 */
static void
warn_of_runs(compile_context *context)
{
	const policy *loaded = context->policy;
	bool *told = compile_alloc(context, loaded->limits.count + 1, sizeof *told);

	/* Tasks and their runs are of pScheduler. */
	if (loaded->files->sections[SECTION_SCHEMA].count == 0)
		return;
	for (size_t i = 0; told != NULL && i < loaded->application_count; i++)
		if (find_limit(loaded, &loaded->applications[i], counts_runs) == NULL)
			warn_of_tasks(context, &loaded->applications[i], told);
}

/* In files that are not pScheduler's an empty list is the way to admit. */
static void
warn_of_no_limits(compile_context *context, const application *target)
{
	bool is_pscheduler = context->policy->files->sections[SECTION_SCHEMA].count > 0;

	if (target->group_count == 0 && (target->invert || is_pscheduler))
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING,
		               limen_value_get(target->where, "apply"),
		               "'apply' is empty, so the application %s every request",
		               target->invert ? "fails" : "passes");
}

void
compile_lint(compile_context *context)
{
	const policy *loaded = context->policy;
	bool *marks = compile_alloc(context, loaded->limits.count + 1, sizeof *marks);

	if (loaded->application_count > 0 || limen_value_exists(find_empty_applications(loaded)))
		note_unused_names(context);
	compile_check_script(context, loaded->rewriter);
	compile_check_script(context, loaded->prioritizer);
	warn_of_empty(context);
	warn_of_unreachable(context);
	for (size_t i = 0; i < sizeof(unbounded) / sizeof(unbounded[0]); i++)
		warn_of_unbounded(context, unbounded[i].test, unbounded[i].parameter);
	for (size_t i = 0; i < loaded->application_count; i++) {
		const application *target = &loaded->applications[i];
		const entry *rate = find_limit(loaded, target, counts);

		warn_of_no_limits(context, target);
		if (marks != NULL && rate != NULL && !target->stop_on_failure && !target->invert &&
		    !target->observes && requires_all(target))
			warn_of_readmission(context, i, rate, marks);
	}
	warn_of_runs(context);
}
