/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_read.c - reads AdmissionReviews.  Members of a wrong type are refused, as the decoders
 * of Kubernetes do, and so are texts with a NUL, which C strings would truncate: an unreadable
 * member must not count as absent.  Members that are null are absent; unknown ones are ignored.
 */
#include "question.h"

#include <stdio.h>

/* The members of "request" that are read; indices of the list below. */
enum {
	AT_UID, AT_USER, AT_OPERATION, AT_NAMESPACE, AT_NAME, AT_KIND, AT_REQUESTED, AT_RESOURCE,
	AT_SUBRESOURCE, AT_OBJECT, AT_OLD, AT_DRY_RUN, AT_COUNT
};

static const limen_key members[AT_COUNT] = {
	[AT_UID] = LIMEN_KEY("uid"),
	[AT_USER] = LIMEN_KEY("userInfo"),
	[AT_OPERATION] = LIMEN_KEY("operation"),
	[AT_NAMESPACE] = LIMEN_KEY("namespace"),
	[AT_NAME] = LIMEN_KEY("name"),
	[AT_KIND] = LIMEN_KEY("kind"),
	[AT_REQUESTED] = LIMEN_KEY("requestKind"),
	[AT_RESOURCE] = LIMEN_KEY("resource"),
	[AT_SUBRESOURCE] = LIMEN_KEY("subResource"),
	[AT_OBJECT] = LIMEN_KEY("object"),
	[AT_OLD] = LIMEN_KEY("oldObject"),
	[AT_DRY_RUN] = LIMEN_KEY("dryRun"),
};

/* Maps a text of the envelope to its member in "request" of an AdmissionReview. */
typedef struct text_row {
	limen_field field;
	size_t at;         /* index in members */
	limen_key below;   /* member below it; none: the member itself */
} text_row;

#define ITSELF { NULL, 0 }

static const text_row text_rows[] = {
	{ LIMEN_FIELD_UID, AT_UID, ITSELF },
	{ LIMEN_FIELD_USER, AT_USER, LIMEN_KEY("username") },
	{ LIMEN_FIELD_OPERATION, AT_OPERATION, ITSELF },
	{ LIMEN_FIELD_NAMESPACE, AT_NAMESPACE, ITSELF },
	{ LIMEN_FIELD_NAME, AT_NAME, ITSELF },
	{ LIMEN_FIELD_GROUP, AT_KIND, LIMEN_KEY("group") },
	{ LIMEN_FIELD_VERSION, AT_KIND, LIMEN_KEY("version") },
	{ LIMEN_FIELD_KIND, AT_KIND, LIMEN_KEY("kind") },
	{ LIMEN_FIELD_REQUESTED_GROUP, AT_REQUESTED, LIMEN_KEY("group") },
	{ LIMEN_FIELD_REQUESTED_VERSION, AT_REQUESTED, LIMEN_KEY("version") },
	{ LIMEN_FIELD_REQUESTED_KIND, AT_REQUESTED, LIMEN_KEY("kind") },
	{ LIMEN_FIELD_RESOURCE_GROUP, AT_RESOURCE, LIMEN_KEY("group") },
	{ LIMEN_FIELD_RESOURCE_VERSION, AT_RESOURCE, LIMEN_KEY("version") },
	{ LIMEN_FIELD_RESOURCE, AT_RESOURCE, LIMEN_KEY("resource") },
	{ LIMEN_FIELD_SUBRESOURCE, AT_SUBRESOURCE, ITSELF },
};

/* One AdmissionReview being read. */
typedef struct reading {
	limen_value found[AT_COUNT]; /* members of "request" */
	limen_request *request;
	limen_diag *diag;
	bool failed; /* memory is short */
} reading;

/*
 * Stores the text of 'value', NULL if it is absent; returns false with a problem.  'member' and
 * 'below' (may be NULL) name it in messages.
 */
static bool
read_text(const reading *run, limen_value value, const char *member, const char *below,
          const char **out)
{
	char name[80];

	if (question_text(value, out))
		return true;
	snprintf(name, sizeof(name), "request.%s%s%s", member, below == NULL ? "" : ".",
	         below == NULL ? "" : below);
	return question_field(value, name, run->diag, out) == LIMEN_OK;
}

/* Stores a member, none if it is absent; returns false with a problem if its type is wrong. */
static bool
read_member(const reading *run, size_t at, limen_type type, limen_value *out)
{
	limen_value member = run->found[at];

	*out = limen_value_none();
	if (limen_value_type(member) <= LIMEN_TYPE_NULL)
		return true;
	*out = member;
	if (limen_value_type(member) == type)
		return true;
	return limen_diag_refuse(run->diag, member, "request.%s: must be %s", members[at].text,
	                         type == LIMEN_TYPE_BOOL ? "true or false" : "an object");
}

/* Records the result of a call that fails only if memory is short. */
static void
note_result(reading *run, int result)
{
	run->failed = run->failed || result != LIMEN_OK;
}

static bool
take_text(reading *run, const text_row *row)
{
	limen_value text_value;
	const char *text;

	if (row->below.text == NULL)
		text_value = run->found[row->at];
	else if (read_member(run, row->at, LIMEN_TYPE_OBJECT, &text_value))
		text_value = limen_value_member(text_value, row->below.text, row->below.length);
	else
		return false;
	if (!read_text(run, text_value, members[row->at].text, row->below.text, &text))
		return false;
	if (text != NULL)
		note_result(run, limen_request_set_field(run->request, row->field, text));
	return true;
}

/* Reports an unexpected text, cut to 64 bytes, and the expected one. */
static void
refuse_text(limen_diag *diag, limen_value found, const char *key, const char *wanted)
{
	const char *text = limen_value_string(found, NULL);

	if (text == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, found, "%s: must be %s", key, wanted);
	else
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, found, "%s: must be %s, not \"%.64s\"",
		               key, wanted, text);
}

/*
 * Refuses a review with an unknown operation, or without one: entries limited to some
 * operations would not apply to it, and it would pass.
 */
static bool
check_operation(const reading *run)
{
	limen_value operation = run->found[AT_OPERATION];
	const char *text = limen_value_string(operation, NULL);

	if (text != NULL && question_is_operation(text))
		return true;
	refuse_text(run->diag, operation, "request.operation", "CREATE, UPDATE, DELETE or CONNECT");
	return false;
}

static bool
take_groups(reading *run, limen_value *out)
{
	limen_value user, groups, element;
	const char *name;

	if (!read_member(run, AT_USER, LIMEN_TYPE_OBJECT, &user))
		return false;
	groups = limen_value_get(user, "groups");
	if (limen_value_type(groups) <= LIMEN_TYPE_NULL)
		return true;
	if (limen_value_type(groups) != LIMEN_TYPE_ARRAY)
		return limen_diag_refuse(run->diag, groups,
		                         "request.userInfo.groups: must be an array");
	for (limen_iter iter = limen_iter_start(groups); limen_iter_next(&iter, NULL, &element);) {
		if (!read_text(run, element, "userInfo", "groups[]", &name))
			return false;
		if (name != NULL)
			note_result(run, limen_request_add_group(run->request, name));
	}
	*out = groups;
	return true;
}

static bool
take_documents(reading *run)
{
	limen_value object, old;
	const char *prefix;

	if (!read_member(run, AT_OBJECT, LIMEN_TYPE_OBJECT, &object) ||
	    !read_member(run, AT_OLD, LIMEN_TYPE_OBJECT, &old) ||
	    !read_text(run, limen_value_get(limen_value_get(object, "metadata"), "generateName"),
	               "object", "metadata.generateName", &prefix))
		return false;
	if (prefix != NULL)
		note_result(run, limen_request_set_field(run->request, LIMEN_FIELD_GENERATE_NAME,
		                                         prefix));
	if (limen_value_exists(object))
		note_result(run, limen_request_set_document(run->request, object));
	if (limen_value_exists(old))
		note_result(run, limen_request_set_old(run->request, old));
	return true;
}

static bool
take_dry_run(reading *run, bool dry_run)
{
	limen_value member;
	bool said = false;

	if (!read_member(run, AT_DRY_RUN, LIMEN_TYPE_BOOL, &member))
		return false;
	limen_value_bool(member, &said);
	limen_request_set_dry_run(run->request, said || dry_run);
	return true;
}

/* Checks the objects of the envelope that are read; documents may repeat members. */
static bool
check_repeated(const reading *run, limen_value review, limen_value request)
{
	const limen_value envelope[] = { review, request, run->found[AT_USER],
		                         run->found[AT_KIND], run->found[AT_REQUESTED],
		                         run->found[AT_RESOURCE] };

	for (size_t i = 0; i < sizeof(envelope) / sizeof(envelope[0]); i++)
		if (question_check_repeated(envelope[i], run->diag) != LIMEN_OK)
			return false;
	return true;
}

static bool
take_all(reading *run, const limen_question_options *options)
{
	limen_value groups = limen_value_none();
	bool good = take_groups(run, &groups);
	bool texts = true;

	for (size_t i = 0; i < sizeof(text_rows) / sizeof(text_rows[0]); i++)
		texts = take_text(run, &text_rows[i]) && texts;
	good = texts && check_operation(run) && good;
	good = take_documents(run) && good;
	good = take_dry_run(run, options->dry_run) && good;
	if (good)
		note_result(run, request_hint_envelope(run->request, groups, options->requester,
		                                       options->server));
	return good;
}

/* Returns 'version' if reviews of it can be answered, static text, or NULL. */
static const char *
find_version(limen_value version)
{
	static const char *const versions[] = { "admission.k8s.io/v1",
		                                "admission.k8s.io/v1beta1" };

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (limen_value_is(version, versions[i]))
			return versions[i];
	return NULL;
}

/* Returns true if 'review', with these three members, can be answered; else adds a problem. */
static bool
check_review(limen_value review, const limen_value found[3], limen_diag *diag)
{
	limen_value request = found[2];
	size_t length = 0;

	if (limen_value_type(review) != LIMEN_TYPE_OBJECT)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, review,
		               "an AdmissionReview is an object");
	else if (!limen_value_is(found[0], "AdmissionReview"))
		refuse_text(diag, found[0], "kind", "\"AdmissionReview\"");
	else if (find_version(found[1]) == NULL)
		refuse_text(diag, found[1], "apiVersion",
		            "\"admission.k8s.io/v1\" or \"admission.k8s.io/v1beta1\"");
	else if (limen_value_type(request) != LIMEN_TYPE_OBJECT)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, review,
		               "request: must be an object");
	else if (limen_value_string(limen_value_get(request, "uid"), &length) == NULL ||
	         length == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, request,
		               "request.uid: must be a string that is not empty");
	else
		return true;
	return false;
}

int
limen_review_read(limen_value review, const limen_question_options *options, limen_request **out,
                  limen_diag *diag)
{
	static const limen_key keys[] = { LIMEN_KEY("kind"), LIMEN_KEY("apiVersion"),
		                          LIMEN_KEY("request") };
	limen_value found[3];
	reading run = { .diag = diag };
	limen_question_options settings;

	if (out == NULL || !question_options_copy(options, &settings))
		return LIMEN_EINVAL;
	limen_value_pick(review, keys, 3, found);
	if (!settings.incomplete && !check_review(review, found, diag))
		return LIMEN_EINVAL;
	if (limen_value_type(found[2]) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, review,
		               "an AdmissionReview without a 'request'");
		return LIMEN_EINVAL;
	}
	limen_value_pick(found[2], members, AT_COUNT, run.found);
	if (!check_repeated(&run, review, found[2]))
		return LIMEN_EINVAL;
	run.request = limen_request_new(LIMEN_SUBJECT_OBJECT);
	if (run.request == NULL)
		return LIMEN_ENOMEM;
	if (!take_all(&run, &settings) || run.failed) {
		limen_request_free(run.request);
		return run.failed ? LIMEN_ENOMEM : LIMEN_EINVAL;
	}
	run.request->review = find_version(found[1]);
	if (settings.timeout > 0)
		limen_request_set_timeout(run.request, settings.timeout);
	*out = run.request;
	return LIMEN_OK;
}
