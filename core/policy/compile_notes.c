/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_notes.c - adds a note for each construct of the policy that limen and
 * pScheduler 5.2 interpret differently.  Notes never change a result.
 */
#include <string.h>

#include "compile.h"
#include "conf/conf.h"
#include "verdict.h"

static bool
holds_manifest(const conf *files)
{
	for (size_t i = 0; i < files->document_count; i++)
		if (manifest_is(document_root(files->documents[i])))
			return true;
	return false;
}

/* A file of pScheduler has a schema, and no task passes without identifiers and classifiers. */
static bool
is_for_http(const policy *loaded)
{
	const conf_list *sections = loaded->files->sections;

	return loaded->application_count > 0 && loaded->applies_to_http &&
	       sections[SECTION_SCHEMA].count == 0 &&
	       (sections[SECTION_IDENTIFIERS].count == 0 || sections[SECTION_CLASSIFIERS].count == 0);
}

/*
 * Is the policy for tasks?  pScheduler decides about neither objects nor HTTP requests, so a policy
 * for these alone needs no notes, even one for objects that has a schema.
 */
static bool
is_for_tasks(const policy *loaded)
{
	const conf *files = loaded->files;

	if (is_for_http(loaded))
		return false;
	for (size_t i = 0; i < SECTION_COUNT; i++)
		if (i != SECTION_SCHEMA && section_since((section)i) > 0 && files->sections[i].count > 0)
			return true;
	return !loaded->decides_objects && !holds_manifest(files);
}

static void
note_schema(compile_context *context)
{
	const conf *files = context->policy->files;

	if (files->sections[SECTION_SCHEMA].count > 0 || files->document_count == 0)
		return;
	limen_diag_add(
		context->diag, LIMEN_SEVERITY_NOTE, document_root(files->documents[0]),
		"no schema is given: limen reads the file as schema %d, pScheduler refuses it",
		SCHEMA_NEWEST);
}

static void
note_missing_sections(compile_context *context)
{
	static const section wanted[] = { SECTION_IDENTIFIERS, SECTION_CLASSIFIERS, SECTION_LIMITS,
		                          SECTION_APPLICATIONS };
	const conf *files = context->policy->files;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		bool found = false;

		for (size_t j = 0; j < files->document_count; j++)
			found = found || limen_value_exists(limen_value_get(
						 document_root(files->documents[j]),
						 section_name(wanted[i])));
		if (found || files->document_count == 0 ||
		    (wanted[i] == SECTION_CLASSIFIERS && context->policy->classifier_count > 0))
			continue;
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE,
		               document_root(files->documents[0]),
		               "'%s' is missing; pScheduler requires it, and no task can pass "
		               "without it", section_name(wanted[i]));
	}
}

/* Notes members that pScheduler requires, in files that are its own. */
static void
note_required(compile_context *context, const char *noun, const char *key, limen_value where)
{
	const conf *files = context->policy->files;

	if (files->sections[SECTION_SCHEMA].count > 0 &&
	    limen_value_type(where) == LIMEN_TYPE_OBJECT &&
	    !limen_value_exists(limen_value_get(where, key)))
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, where,
		               "pScheduler 5.2 refuses %s without '%s'; limen accepts it", noun, key);
}

static void
note_identifiers(compile_context *context)
{
	const entry_list *list = &context->policy->identifiers;

	for (size_t i = 0; i < list->count; i++) {
		const entry *item = &list->items[i];

		note_required(context, "an identifier", "description", item->where);
		note_required(context, "an identifier", "data", item->where);
		/* An inverted "always" identifies no requester in pScheduler or in limen. */
		if (!item->invert || item->type == NULL || strcmp(item->type, "always") == 0)
			continue;
		limen_diag_add(
			context->diag, LIMEN_SEVERITY_NOTE, limen_value_get(item->where, "invert"),
			"pScheduler 5.2 never identifies with invert: true; limen inverts, as "
			"documented");
	}
}

static void
note_limit(compile_context *context, const entry *item)
{
	limen_value invert = limen_value_get(item->where, "invert");

	note_required(context, "a limit", "data", item->where);
	if (!limen_value_exists(limen_value_get(item->where, "clone")))
		return;
	if (item->description == NULL)
		limen_diag_add(
			context->diag, LIMEN_SEVERITY_NOTE, item->where,
			"pScheduler 5.2 refuses a clone without 'description'; limen accepts it");
	if (item->invert)
		limen_diag_add(
			context->diag, LIMEN_SEVERITY_NOTE,
			limen_value_exists(invert) ? invert : item->where,
			"pScheduler 5.2 never inverts a clone; limen does when it, or the limit "
			"it is cloned from, says so");
}

/* Can one of the listed entries end with an error? */
static bool
can_err(const entry_list *entries, const index_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		size_t index = list->items[i];
		const char *type = index < entries->count ? entries->items[index].type : NULL;

		if (type != NULL && strcmp(type, "always") != 0 && strcmp(type, "pass-fail") != 0)
			return true;
	}
	return false;
}

/* Only these take a failure for the better (decision 0003); another word is a problem already. */
static void
note_require(compile_context *context, require want, limen_value where)
{
	limen_value given = limen_value_get(where, "require");

	if ((want != REQUIRE_NONE && want != REQUIRE_ONE) ||
	    !limen_value_is(given, require_words[want]))
		return;
	limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, given,
	               "pScheduler 5.2 takes an error for a failure, which can meet 'require: %s'; "
	               "in limen an error never helps to meet it", require_words[want]);
}

static void
note_classifiers(compile_context *context)
{
	const policy *loaded = context->policy;

	for (size_t i = 0; i < loaded->classifier_count; i++) {
		const classifier *target = &loaded->classifiers[i];

		note_required(context, "a classifier", "description", target->where);
		if (can_err(&loaded->identifiers, &target->identifiers))
			note_require(context, target->require, target->where);
	}
}

/* A failed identifier must not let banned requesters pass: limen refuses them. */
static void
note_stop(compile_context *context, const application *target)
{
	const policy *loaded = context->policy;

	if (!target->stop_on_failure || target->classifier >= loaded->classifier_count ||
	    !can_err(&loaded->identifiers, &loaded->classifiers[target->classifier].identifiers))
		return;
	limen_diag_add(
		context->diag, LIMEN_SEVERITY_NOTE, limen_value_get(target->where, "stop-on-failure"),
		"pScheduler 5.2 skips the application when its identifiers fail by an error; "
		"limen then refuses unless it passes");
}

/* Notes what only limen knows, in files of pScheduler. */
static void
note_short(compile_context *context, bool is_short, const char *text, limen_value where)
{
	if (is_short && limen_value_exists(where) &&
	    context->policy->files->sections[SECTION_SCHEMA].count > 0)
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, where,
		               "pScheduler 5.2 refuses %s; limen accepts it", text);
}

static void
note_application(compile_context *context, const application *target)
{
	const entry_list *limits = &context->policy->limits;
	limen_iter iter = limen_iter_start(limen_value_get(target->where, "apply"));
	limen_value value;
	bool names = limen_value_type(limen_value_at(limen_value_get(target->where, "apply"), 0)) ==
	             LIMEN_TYPE_STRING;
	bool erring = false;

	note_short(context, names, "names of limits in 'apply'",
	           limen_value_get(target->where, "apply"));
	note_short(context, true, "'identifier' in an application",
	           limen_value_get(target->where, "identifier"));
	for (size_t i = 0; i < target->group_count && limen_iter_next(&iter, NULL, &value); i++) {
		if (!can_err(limits, &target->groups[i].limits))
			continue;
		erring = true;
		note_require(context, target->groups[i].require, value);
	}
	if (target->invert && erring)
		limen_diag_add(
			context->diag, LIMEN_SEVERITY_NOTE, limen_value_get(target->where, "invert"),
			"pScheduler 5.2 takes an error for a failure, which it inverts into a "
			"pass; limen never inverts an error");
	note_stop(context, target);
}

void
compile_notes(compile_context *context)
{
	const policy *loaded = context->policy;

	note_identifiers(context);
	note_classifiers(context);
	for (size_t i = 0; i < loaded->limits.count; i++)
		note_limit(context, &loaded->limits.items[i]);
	for (size_t i = 0; i < loaded->application_count; i++)
		note_application(context, &loaded->applications[i]);
	/* pScheduler has one file. */
	if (loaded->files->document_count == 1)
		diag_mute(context->diag, NULL);
	if (is_for_tasks(loaded)) {
		note_schema(context);
		note_missing_sections(context);
	}
}
