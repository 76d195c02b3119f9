/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_read.c - reads AdmissionReviews.  Members of a wrong type are refused, as the decoders
 * of Kubernetes do, and so are texts with a NUL, which C strings would truncate: an unreadable
 * member must not count as absent.  Members that are null are absent; unknown ones are ignored.
 */
#include <glib.h>
#include <limen/documents.h>
#include <string.h>

#include "claims.h"
#include "plain_text.h"
#include "review.h"

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
	const char *hint;  /* name of the hint it also sets; or NULL */
} text_row;

#define ITSELF { NULL, 0 }

static const text_row text_rows[] = {
	{ LIMEN_FIELD_UID, AT_UID, ITSELF, NULL },
	{ LIMEN_FIELD_USER, AT_USER, LIMEN_KEY("username"), "user" },
	{ LIMEN_FIELD_OPERATION, AT_OPERATION, ITSELF, "operation" },
	{ LIMEN_FIELD_NAMESPACE, AT_NAMESPACE, ITSELF, "namespace" },
	{ LIMEN_FIELD_NAME, AT_NAME, ITSELF, NULL },
	{ LIMEN_FIELD_GROUP, AT_KIND, LIMEN_KEY("group"), NULL },
	{ LIMEN_FIELD_VERSION, AT_KIND, LIMEN_KEY("version"), NULL },
	{ LIMEN_FIELD_KIND, AT_KIND, LIMEN_KEY("kind"), NULL },
	{ LIMEN_FIELD_REQUESTED_GROUP, AT_REQUESTED, LIMEN_KEY("group"), NULL },
	{ LIMEN_FIELD_REQUESTED_VERSION, AT_REQUESTED, LIMEN_KEY("version"), NULL },
	{ LIMEN_FIELD_REQUESTED_KIND, AT_REQUESTED, LIMEN_KEY("kind"), NULL },
	{ LIMEN_FIELD_RESOURCE_GROUP, AT_RESOURCE, LIMEN_KEY("group"), NULL },
	{ LIMEN_FIELD_RESOURCE_VERSION, AT_RESOURCE, LIMEN_KEY("version"), NULL },
	{ LIMEN_FIELD_RESOURCE, AT_RESOURCE, LIMEN_KEY("resource"), "resource" },
	{ LIMEN_FIELD_SUBRESOURCE, AT_SUBRESOURCE, ITSELF, NULL },
};

/* Four texts of the envelope, the groups, requester and server. */
#define HINTS_MAX 8

/* One AdmissionReview being read. */
typedef struct reading {
	limen_value found[AT_COUNT]; /* members of "request" */
	limen_request *request;
	limen_hint hints[HINTS_MAX];
	size_t hint_count;
	limen_diag *diag;
	bool failed; /* memory is short */
} reading;

/* Returns true if 'value' exists and is not null. */
static bool
is_given(limen_value value)
{
	return limen_value_exists(value) && limen_value_type(value) != LIMEN_TYPE_NULL;
}

/*
 * Stores the text of 'value', NULL if it is absent; returns false with a problem.  'member' and
 * 'below' (may be NULL) name it in messages.
 */
static bool
read_text(const reading *run, limen_value value, const char *member, const char *below,
          const char **out)
{
	char name[80];

	if (plain_text(value, out))
		return true;
	/* plain_text() failed, so the name is needed for the message. */
	g_snprintf(name, sizeof(name), "request.%s%s%s", member, below == NULL ? "" : ".",
	           below == NULL ? "" : below);
	return review_text(value, name, run->diag, out);
}

/* Stores a member, none if it is absent; returns false with a problem if its type is wrong. */
static bool
read_member(const reading *run, size_t at, limen_type type, limen_value *out)
{
	limen_value member = run->found[at];

	*out = limen_value_none();
	if (!is_given(member))
		return true;
	*out = member;
	if (limen_value_type(member) == type)
		return true;
	limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, member, "request.%s: must be %s",
	               members[at].text, type == LIMEN_TYPE_BOOL ? "true or false" : "an object");
	return false;
}

/* Records the result of a call that fails only if memory is short. */
static void
note_result(reading *run, int result)
{
	run->failed = run->failed || result != LIMEN_OK;
}

static void
add_hint(reading *run, const char *name, const char *text, limen_value value)
{
	run->hints[run->hint_count++] = (limen_hint){ name, text, value };
}

static bool
take_text(reading *run, const text_row *row)
{
	limen_value place;
	const char *text;

	if (row->below.text == NULL)
		place = run->found[row->at];
	else if (read_member(run, row->at, LIMEN_TYPE_OBJECT, &place))
		place = limen_value_member(place, row->below.text, row->below.length);
	else
		return false;
	if (!read_text(run, place, members[row->at].text, row->below.text, &text))
		return false;
	if (text == NULL)
		return true;
	note_result(run, limen_request_set_field(run->request, row->field, text));
	/* The hint refers to the value, so the text is not copied. */
	if (row->hint != NULL)
		add_hint(run, row->hint, NULL, place);
	return true;
}

static bool
take_texts(reading *run)
{
	bool good = true;

	for (size_t i = 0; i < G_N_ELEMENTS(text_rows); i++)
		good = take_text(run, &text_rows[i]) && good;
	return good;
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

	if (text != NULL && claims_is_operation(text))
		return true;
	refuse_text(run->diag, operation, "request.operation", "CREATE, UPDATE, DELETE or CONNECT");
	return false;
}

static bool
take_groups(reading *run)
{
	limen_value user, groups, group;
	limen_iter iter;
	const char *name;

	if (!read_member(run, AT_USER, LIMEN_TYPE_OBJECT, &user))
		return false;
	groups = limen_value_get(user, "groups");
	if (!is_given(groups))
		return true;
	if (limen_value_type(groups) != LIMEN_TYPE_ARRAY) {
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, groups,
		               "request.userInfo.groups: must be an array");
		return false;
	}
	iter = limen_iter_start(groups);
	while (limen_iter_next(&iter, NULL, &group)) {
		if (!read_text(run, group, "userInfo", "groups[]", &name))
			return false;
		if (name != NULL)
			note_result(run, limen_request_add_group(run->request, name));
	}
	add_hint(run, "groups", NULL, groups);
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
take_dry_run(reading *run)
{
	limen_value member;
	bool dry_run = false;

	if (!read_member(run, AT_DRY_RUN, LIMEN_TYPE_BOOL, &member))
		return false;
	limen_value_bool(member, &dry_run);
	limen_request_set_dry_run(run->request, dry_run);
	return true;
}

static bool
take_all(reading *run, const review_peer *peer)
{
	bool good;

	if (peer != NULL && peer->requester != NULL)
		add_hint(run, "requester", peer->requester, limen_value_none());
	if (peer != NULL && peer->server != NULL)
		add_hint(run, "server", peer->server, limen_value_none());
	good = take_groups(run);
	good = take_texts(run) && check_operation(run) && good;
	good = take_documents(run) && good;
	good = take_dry_run(run) && good;
	if (good)
		note_result(run, limen_request_set_hint_list(run->request, run->hints,
		                                             run->hint_count));
	return good;
}

limen_request *
review_read(limen_value document, const review_peer *peer, limen_diag *diag, char **why)
{
	limen_value review = limen_value_get(document, "request");
	reading run = { .diag = diag };

	if (limen_value_type(review) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, document,
		               "an AdmissionReview without a 'request'");
		return NULL;
	}
	run.request = limen_request_new(LIMEN_SUBJECT_OBJECT);
	if (run.request == NULL) {
		*why = g_strdup("out of memory");
		return NULL;
	}
	limen_value_pick(review, members, AT_COUNT, run.found);
	if (!take_all(&run, peer) || run.failed) {
		if (run.failed)
			*why = g_strdup("the AdmissionReview cannot be taken over");
		limen_request_free(run.request);
		run.request = NULL;
	}
	return run.request;
}

/* ---- reviews over HTTP ---- */

/* Returns true and stores the version if 'document' can be answered; else adds a problem. */
static bool
check_review(limen_value document, const char **api, limen_diag *diag)
{
	static const limen_key keys[] = { LIMEN_KEY("kind"), LIMEN_KEY("apiVersion"),
		                          LIMEN_KEY("request") };
	static const char *const versions[] = { "admission.k8s.io/v1",
		                                "admission.k8s.io/v1beta1" };
	limen_value found[G_N_ELEMENTS(keys)];
	limen_value kind, version, request;
	size_t length = 0;

	limen_value_pick(document, keys, G_N_ELEMENTS(keys), found);
	kind = found[0];
	version = found[1];
	request = found[2];
	*api = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++)
		if (limen_value_is(version, versions[i]))
			*api = versions[i];
	if (limen_value_type(document) != LIMEN_TYPE_OBJECT)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, document,
		               "an AdmissionReview is an object");
	else if (!limen_value_is(kind, "AdmissionReview"))
		refuse_text(diag, kind, "kind", "\"AdmissionReview\"");
	else if (*api == NULL)
		refuse_text(diag, version, "apiVersion",
		            "\"admission.k8s.io/v1\" or \"admission.k8s.io/v1beta1\"");
	else if (limen_value_type(request) != LIMEN_TYPE_OBJECT)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, document,
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
review_parse(const char *text, size_t length, const review_peer *peer, const char **api,
             limen_diag *diag, limen_request **out)
{
	limen_documents *parsed = NULL;
	char *why = NULL;
	int result = limen_documents_parse("review.json", text, length, 0, &parsed, diag);

	*out = NULL;
	if (result == LIMEN_OK && check_review(limen_documents_get(parsed, 0), api, diag))
		*out = review_read(limen_documents_get(parsed, 0), peer, diag, &why);
	limen_documents_free(parsed);
	g_free(why);
	if (result != LIMEN_OK || *out != NULL)
		return result;
	/* A wrong review has a problem; without one, memory was short. */
	return limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0 ? LIMEN_EINVAL : LIMEN_ENOMEM;
}
