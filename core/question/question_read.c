/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_read.c - reads the subject, the hints and the options of a question in JSON.  Checks
 * that its members are known, fit a task, an object or an HTTP request, and may be set by the
 * sender.  Owns the tables of known members and of advice for unknown ones.
 */
#include "question.h"

#include <limen/nearest.h>
#include <stdlib.h>

#include "base/sized.h"

/* The members of a question; indices of the lists below. */
enum {
	AT_TASK, AT_OBJECT, AT_HTTP, AT_OLD, AT_ID, AT_HINTS, AT_REWRITE, AT_PRIORITIZE, AT_DIAGNOSTICS,
	AT_EXPLAIN, AT_DRY_RUN, AT_RUN, AT_OPERATION, AT_NAMESPACE, AT_USER, AT_GROUPS,
	/* Older names, which are not suggested. */
	AT_REQUEST, AT_SUBJECT, AT_OLDER_DRY_RUN, AT_COUNT
};

static const limen_key members[AT_COUNT] = {
	[AT_TASK] = LIMEN_KEY("task"),
	[AT_OBJECT] = LIMEN_KEY("object"),
	[AT_HTTP] = LIMEN_KEY("http"),
	[AT_OLD] = LIMEN_KEY("oldObject"),
	[AT_ID] = LIMEN_KEY("id"),
	[AT_HINTS] = LIMEN_KEY("hints"),
	[AT_REWRITE] = LIMEN_KEY("rewrite"),
	[AT_PRIORITIZE] = LIMEN_KEY("prioritize"),
	[AT_DIAGNOSTICS] = LIMEN_KEY("diagnostics"),
	[AT_EXPLAIN] = LIMEN_KEY("explain"),
	[AT_DRY_RUN] = LIMEN_KEY("dryRun"),
	[AT_RUN] = LIMEN_KEY("run"),
	[AT_OPERATION] = LIMEN_KEY("operation"),
	[AT_NAMESPACE] = LIMEN_KEY("namespace"),
	[AT_USER] = LIMEN_KEY("user"),
	[AT_GROUPS] = LIMEN_KEY("groups"),
	[AT_REQUEST] = LIMEN_KEY("request"),
	[AT_SUBJECT] = LIMEN_KEY("subject"),
	[AT_OLDER_DRY_RUN] = LIMEN_KEY("dry_run"),
};

/* Rules of a member: the subjects it is valid for, and whether its sender must be trusted. */
enum {
	FOR_TASKS = 1 << 0,
	FOR_OBJECTS = 1 << 1,
	FOR_HTTP = 1 << 2,
	FOR_ANY = FOR_TASKS | FOR_OBJECTS | FOR_HTTP,
	FROM_TRUSTED = 1 << 3
};

static const unsigned rules[AT_COUNT] = {
	[AT_TASK] = FOR_TASKS,
	[AT_OBJECT] = FOR_OBJECTS,
	[AT_HTTP] = FOR_HTTP,
	[AT_OLD] = FOR_OBJECTS | FROM_TRUSTED,
	[AT_ID] = FOR_ANY,
	[AT_HINTS] = FOR_ANY | FROM_TRUSTED,
	[AT_REWRITE] = FOR_TASKS | FROM_TRUSTED,
	[AT_PRIORITIZE] = FOR_TASKS,
	[AT_DIAGNOSTICS] = FOR_ANY,
	[AT_EXPLAIN] = FOR_ANY,
	[AT_DRY_RUN] = FOR_ANY,
	[AT_RUN] = FOR_TASKS | FROM_TRUSTED,
	[AT_OPERATION] = FOR_OBJECTS | FROM_TRUSTED,
	[AT_NAMESPACE] = FOR_OBJECTS | FROM_TRUSTED,
	[AT_USER] = FOR_OBJECTS | FROM_TRUSTED,
	[AT_GROUPS] = FOR_OBJECTS | FROM_TRUSTED,
	[AT_REQUEST] = FOR_ANY,
	[AT_SUBJECT] = FOR_ANY,
	[AT_OLDER_DRY_RUN] = FOR_ANY,
};

/* One question being read. */
typedef struct reading {
	const limen_question_options *settings;
	limen_value found[AT_COUNT]; /* none: absent or null */
	limen_request *request;
	limen_decide_options options;
	limen_diag *diag;
	int result; /* the first failure, or LIMEN_OK */
} reading;

/* Adds a problem about 'where' and returns false. */
#define refuse(run, why, where, ...) \
	((run)->result = (why), limen_diag_refuse((run)->diag, where, __VA_ARGS__))

/* Notes the result of a call that says itself what was wrong. */
static bool
took(reading *run, int result)
{
	run->result = result;
	return result == LIMEN_OK;
}

static bool
has(const reading *run, size_t at)
{
	return limen_value_exists(run->found[at]);
}

/* ---- which members there are ---- */

/* Advice for members that show a common mistake, such as sending a bare task or manifest. */
static const struct {
	const char *key;
	const char *advice;
} parts[] = {
	{ "test", "the task is the value of 'task'" },
	{ "schema", "the task is the value of 'task'" },
	{ "schedule", "the task is the value of 'task'" },
	{ "run_schedule", "the task is the value of 'task'" },
	{ "policy", "a question cannot choose the policy" },
	{ "time", "a question is decided now; limen check decides at any time" },
	{ "apiVersion", "the manifest is the value of 'object'" },
	{ "kind", "the manifest is the value of 'object'" },
	{ "metadata", "the manifest is the value of 'object'" },
	{ "spec", "the manifest is the value of 'object'" },
};

static bool
refuse_unknown(reading *run, limen_value key)
{
	const char *const *more = run->settings->more_members;
	limen_nearest best = limen_nearest_to(limen_value_string(key, NULL));
	size_t length = 0;
	char *name;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (limen_value_is(key, parts[i].key))
			return refuse(run, LIMEN_EINVAL, key, "unknown member '%s'; %s",
			              parts[i].key, parts[i].advice);
	for (size_t i = 0; i < AT_REQUEST; i++)
		limen_nearest_offer(&best, members[i].text);
	for (; more != NULL && *more != NULL; more++)
		limen_nearest_offer(&best, *more);
	/* As JSON, without its quotes: the key may hold a NUL. */
	name = limen_value_to_json(key, 0, &length);
	if (name == NULL)
		return took(run, LIMEN_ENOMEM);
	length = length - 2 < 100 ? length - 2 : 100;
	refuse(run, LIMEN_EINVAL, key, "unknown member '%.*s'%s%s%s", (int)length, name + 1,
	       best.word == NULL ? "" : "; did you mean '", best.word == NULL ? "" : best.word,
	       best.word == NULL ? "" : "'?");
	free(name);
	return false;
}

static bool
is_known(const reading *run, limen_value key)
{
	const char *const *more = run->settings->more_members;
	size_t length = 0;
	const char *name = limen_value_string(key, &length);

	for (size_t i = 0; i < AT_COUNT; i++)
		if (length == members[i].length && memcmp(name, members[i].text, length) == 0)
			return true;
	for (; more != NULL && *more != NULL; more++)
		if (limen_value_is(key, *more))
			return true;
	/* A comment, as in a task. */
	return name[0] == '#';
}

/* Finds the members and checks that all are known, and none is repeated. */
static bool
find_members(reading *run, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	size_t count = 0;
	limen_value key;

	limen_value_pick(object, members, AT_COUNT, run->found);
	for (size_t i = 0; i < AT_COUNT; i++) {
		count += has(run, i);
		if (limen_value_type(run->found[i]) == LIMEN_TYPE_NULL)
			run->found[i] = limen_value_none();
	}
	while (count < limen_value_count(object) && limen_iter_next(&iter, &key, NULL))
		if (!is_known(run, key))
			return refuse_unknown(run, key);
	return took(run, question_check_repeated(object, run->diag));
}

/* ---- what it is about ---- */

/* Finds the one subject.  An object that is being deleted may be given as "oldObject" alone. */
static bool
find_subject(reading *run, unsigned *subject)
{
	limen_value word = run->found[AT_SUBJECT];

	if (has(run, AT_TASK) + has(run, AT_OBJECT) + has(run, AT_HTTP) + has(run, AT_REQUEST) > 1)
		return refuse(run, LIMEN_EINVAL, limen_value_none(),
		              "there must be 'task', 'object' or 'http', not several of them");
	if (!has(run, AT_REQUEST)) {
		*subject = has(run, AT_TASK) ? FOR_TASKS : has(run, AT_HTTP) ? FOR_HTTP : FOR_OBJECTS;
		if (*subject == FOR_OBJECTS && !has(run, AT_OBJECT) && !has(run, AT_OLD))
			return refuse(run, LIMEN_EINVAL, limen_value_none(),
			              "there must be 'task', 'object' or 'http'");
		return !has(run, AT_SUBJECT) ||
		       refuse(run, LIMEN_EINVAL, word, "'subject' is for 'request'");
	}
	*subject = 1U << run->settings->subject;
	if (limen_value_is(word, "object"))
		*subject = FOR_OBJECTS;
	else if (limen_value_is(word, "task"))
		*subject = FOR_TASKS;
	else if (has(run, AT_SUBJECT))
		return refuse(run, LIMEN_EINVAL, word, "'subject' must be \"task\" or \"object\"");
	return true;
}

static bool
check_rules(reading *run, unsigned subject)
{
	for (size_t i = 0; i < AT_COUNT; i++) {
		if (!has(run, i))
			continue;
		if ((rules[i] & subject) == 0)
			return refuse(run, LIMEN_EINVAL, run->found[i], "'%s' is for %s",
			              members[i].text,
			              (rules[i] & FOR_TASKS) != 0 ? "tasks" : "objects");
		if ((rules[i] & FROM_TRUSTED) != 0 && !run->settings->trusted)
			return refuse(run, LIMEN_EACCES, run->found[i],
			              "'%s' counts only from trusted clients", members[i].text);
	}
	return true;
}

static bool
read_task(reading *run)
{
	limen_value task = run->found[has(run, AT_TASK) ? AT_TASK : AT_REQUEST];

	if (limen_value_type(task) != LIMEN_TYPE_OBJECT)
		return refuse(run, LIMEN_EINVAL, task, "'task' must be an object");
	/* pScheduler adds it; a client could send it to pass limits that count only tasks. */
	if (!run->settings->trusted && limen_value_exists(limen_value_get(task, "run_schedule")))
		return refuse(run, LIMEN_EACCES, task,
		              "'run_schedule' counts only from trusted clients");
	run->request = limen_request_new(LIMEN_SUBJECT_TASK);
	return took(run, limen_request_set_task(run->request, task));
}

/* Reads an AdmissionReview, which says itself who asks. */
static bool
read_review(reading *run, limen_value review)
{
	static const size_t claims[] = { AT_OPERATION, AT_USER, AT_GROUPS, AT_OLD, AT_NAMESPACE };
	limen_question_options options = *run->settings;

	options.incomplete = true;
	if (!options.trusted)
		return refuse(run, LIMEN_EACCES, review,
		              "an AdmissionReview counts only from trusted clients");
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
		if (has(run, claims[i]))
			return refuse(run, LIMEN_EINVAL, run->found[claims[i]],
			              "'%s' is not for an AdmissionReview, which says so itself",
			              members[claims[i]].text);
	if (!took(run, limen_review_read(review, &options, &run->request, run->diag)))
		return false;
	/* The answer is a decision object, not a review. */
	run->request->review = NULL;
	return true;
}

/* Makes the request of an object, of which one of both may be missing. */
static bool
set_documents(reading *run, limen_value object, limen_value old)
{
	if (limen_value_exists(object) && limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return refuse(run, LIMEN_EINVAL, object, "'object' must be an object");
	if (limen_value_exists(old) && limen_value_type(old) != LIMEN_TYPE_OBJECT)
		return refuse(run, LIMEN_EINVAL, old, "'oldObject' must be an object");
	run->request = limen_request_new(LIMEN_SUBJECT_OBJECT);
	if (run->request == NULL)
		return took(run, LIMEN_ENOMEM);
	limen_request_set_manifest(run->request, true);
	if (limen_value_exists(object) &&
	    !took(run, limen_request_set_document(run->request, object)))
		return false;
	return !limen_value_exists(old) || took(run, limen_request_set_old(run->request, old));
}

static bool
read_object(reading *run)
{
	limen_value object = run->found[has(run, AT_OBJECT) ? AT_OBJECT : AT_REQUEST];
	const char *namespace;

	run->options.origins = true;
	if (limen_review_is(object))
		return read_review(run, object);
	if (!set_documents(run, object, run->found[AT_OLD]))
		return false;
	if (!question_text(run->found[AT_NAMESPACE], &namespace))
		return refuse(run, LIMEN_EINVAL, run->found[AT_NAMESPACE],
		              "'namespace' must be a string without a NUL");
	/* Names that are no texts are left out: admission entries refuse such manifests. */
	if (question_describe(run->request, NULL, NULL,
	                      namespace == NULL ? run->settings->default_namespace : namespace,
	                      run->diag) == LIMEN_ENOMEM)
		return took(run, LIMEN_ENOMEM);
	return took(run, question_claim(run->request, run->found[AT_OPERATION],
	                                run->found[AT_USER], run->found[AT_GROUPS], run->diag));
}

static bool
read_http(reading *run)
{
	limen_value http = run->found[has(run, AT_HTTP) ? AT_HTTP : AT_REQUEST];

	return took(run, limen_http_read(http, run->settings, &run->request, run->diag));
}

/* ---- how it is decided ---- */

static bool
read_bool(reading *run, size_t at, bool *out)
{
	return !has(run, at) || limen_value_bool(run->found[at], out) ||
	       refuse(run, LIMEN_EINVAL, run->found[at], "'%s' must be true or false",
	              members[at].text);
}

static bool
read_switch(reading *run, size_t at, uint32_t *out)
{
	bool on = false;

	if (!read_bool(run, at, &on))
		return false;
	if (has(run, at))
		*out = on ? LIMEN_SWITCH_ON : LIMEN_SWITCH_OFF;
	return true;
}

static bool
read_options(reading *run)
{
	uint32_t is_run = LIMEN_SWITCH_AUTO;
	bool dry_run = limen_request_is_dry_run(run->request) || run->settings->dry_run;

	if (!read_switch(run, AT_RUN, &is_run))
		return false;
	/* "run" is short for the two switches that a host sets for a run or a task. */
	if (is_run != LIMEN_SWITCH_AUTO) {
		run->options.rewrite =
			is_run == LIMEN_SWITCH_ON ? LIMEN_SWITCH_OFF : LIMEN_SWITCH_ON;
		run->options.prioritize = is_run;
	}
	if (!read_switch(run, AT_REWRITE, &run->options.rewrite) ||
	    !read_switch(run, AT_PRIORITIZE, &run->options.prioritize) ||
	    !read_bool(run, AT_DIAGNOSTICS, &run->options.diagnostics) ||
	    !read_bool(run, AT_EXPLAIN, &run->options.trace) ||
	    !read_bool(run, AT_OLDER_DRY_RUN, &dry_run) || !read_bool(run, AT_DRY_RUN, &dry_run))
		return false;
	limen_request_set_dry_run(run->request, dry_run);
	if (run->settings->timeout > 0)
		limen_request_set_timeout(run->request, run->settings->timeout);
	return true;
}

/* The hints of the question replace those of the connection and of the object. */
static bool
read_hints(reading *run)
{
	limen_value hints = run->found[AT_HINTS];

	if (has(run, AT_HINTS) && limen_value_type(hints) != LIMEN_TYPE_OBJECT)
		return refuse(run, LIMEN_EINVAL, hints, "'hints' must be an object");
	if (!took(run, question_check_repeated(hints, run->diag)))
		return false;
	/* A review has its hints already. */
	if (!request_has_hints(run->request) &&
	    !took(run, request_hint_envelope(run->request, run->found[AT_GROUPS],
	                                     run->settings->requester, run->settings->server)))
		return false;
	return !has(run, AT_HINTS) || took(run, limen_request_set_hints(run->request, hints));
}

static bool
read_all(reading *run, limen_value object)
{
	unsigned subject = 0;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return refuse(run, LIMEN_EINVAL, object,
		              "a question must be an object with 'task', 'object' or 'http'");
	if (!find_members(run, object) || !find_subject(run, &subject) || !check_rules(run, subject))
		return false;
	return (subject == FOR_TASKS  ? read_task(run)
	        : subject == FOR_HTTP ? read_http(run)
	                              : read_object(run)) &&
	       read_options(run) &&
	       read_hints(run) &&
	       (!has(run, AT_ID) || took(run, limen_request_set_id(run->request,
	                                                           run->found[AT_ID])));
}

int
limen_question_read(limen_value object, const limen_question_options *settings,
                    limen_decide_options *options, limen_request **out, limen_diag *diag)
{
	limen_question_options known;
	reading run = { .settings = &known, .diag = diag };
	size_t size;

	if (options == NULL || out == NULL || !question_options_copy(settings, &known) ||
	    options->size < offsetof(limen_decide_options, diagnostics) ||
	    !sized_copy(&run.options, sizeof(run.options), options))
		return LIMEN_EINVAL;
	size = options->size < sizeof(*options) ? options->size : sizeof(*options);
	if (!read_all(&run, object)) {
		limen_request_free(run.request);
		return run.result;
	}
	memcpy(options, &run.options, size);
	*out = run.request;
	return LIMEN_OK;
}
