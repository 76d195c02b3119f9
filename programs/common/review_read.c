/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_read.c - reads AdmissionReviews.  What is of a wrong type is refused, as
 * the decoders of Kubernetes do, and so is a text with a NUL, which would be
 * another text to whoever reads it here: what cannot be read must not count as
 * absent.  Members that are null are absent; unknown ones are ignored.
 */
#include <glib.h>
#include <limen/documents.h>
#include <string.h>

#include "json_out.h"
#include "review.h"

/* Where a text of the envelope stands in the "request" of an AdmissionReview. */
typedef struct text_row {
	limen_field field;
	const char *member;
	const char *below; /* or NULL: the member itself is the text */
	const char *hint;  /* under which it is a hint, too; or NULL */
} text_row;

static const text_row text_rows[] = {
	{ LIMEN_FIELD_UID, "uid", NULL, NULL },
	{ LIMEN_FIELD_USER, "userInfo", "username", "user" },
	{ LIMEN_FIELD_OPERATION, "operation", NULL, "operation" },
	{ LIMEN_FIELD_NAMESPACE, "namespace", NULL, "namespace" },
	{ LIMEN_FIELD_NAME, "name", NULL, NULL },
	{ LIMEN_FIELD_GROUP, "kind", "group", NULL },
	{ LIMEN_FIELD_VERSION, "kind", "version", NULL },
	{ LIMEN_FIELD_KIND, "kind", "kind", NULL },
	{ LIMEN_FIELD_REQUESTED_GROUP, "requestKind", "group", NULL },
	{ LIMEN_FIELD_REQUESTED_VERSION, "requestKind", "version", NULL },
	{ LIMEN_FIELD_REQUESTED_KIND, "requestKind", "kind", NULL },
	{ LIMEN_FIELD_RESOURCE_GROUP, "resource", "group", NULL },
	{ LIMEN_FIELD_RESOURCE_VERSION, "resource", "version", NULL },
	{ LIMEN_FIELD_RESOURCE, "resource", "resource", "resource" },
	{ LIMEN_FIELD_SUBRESOURCE, "subResource", NULL, NULL },
};

/* One AdmissionReview being read. */
typedef struct reading {
	limen_value review; /* its "request" */
	limen_request *request;
	GString *hints; /* an open object */
	limen_diag *diag;
	bool failed; /* for want of memory */
} reading;

/* Is there anything?  In Kubernetes null is nothing. */
static bool
is_given(limen_value value)
{
	return limen_value_exists(value) && limen_value_type(value) != LIMEN_TYPE_NULL;
}

/*
 * Stores the text at 'value', NULL if there is none; false with a problem.  'member'
 * and 'below' (may be NULL) say where it stands.
 */
static bool
read_text(const reading *run, limen_value value, const char *member, const char *below,
          const char **out)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);
	char name[80];

	if (text != NULL && strlen(text) == length) {
		*out = text;
		return true;
	}
	*out = NULL;
	if (!is_given(value))
		return true;
	/* Names are only put together where there is something to say. */
	g_snprintf(name, sizeof(name), "request.%s%s%s", member, below == NULL ? "" : ".",
	           below == NULL ? "" : below);
	return review_text(value, name, run->diag, out);
}

/* Stores a member, none if it is not given; false with a problem if it is of another type. */
static bool
read_member(const reading *run, const char *key, limen_type type, limen_value *out)
{
	limen_value member = limen_value_get(run->review, key);

	*out = limen_value_none();
	if (!is_given(member))
		return true;
	*out = member;
	if (limen_value_type(member) == type)
		return true;
	limen_diag_add(run->diag, LIMEN_PROBLEM, member, "request.%s: must be %s", key,
	               type == LIMEN_TYPE_BOOL ? "true or false" : "an object");
	return false;
}

/* Remembers the outcome of a call that fails for want of memory only. */
static void
note_result(reading *run, int result)
{
	run->failed = run->failed || result != LIMEN_OK;
}

static bool
take_text(reading *run, const text_row *row)
{
	limen_value place;
	const char *text;

	if (row->below == NULL)
		place = limen_value_get(run->review, row->member);
	else if (read_member(run, row->member, LIMEN_TYPE_OBJECT, &place))
		place = limen_value_get(place, row->below);
	else
		return false;
	if (!read_text(run, place, row->member, row->below, &text))
		return false;
	if (text == NULL)
		return true;
	note_result(run, limen_request_set_field(run->request, row->field, text));
	if (row->hint != NULL)
		json_put_string(run->hints, row->hint, text);
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

static bool
take_groups(reading *run)
{
	limen_value user, groups, group;
	limen_iter iter;
	const char *name;

	if (!read_member(run, "userInfo", LIMEN_TYPE_OBJECT, &user))
		return false;
	groups = limen_value_get(user, "groups");
	if (!is_given(groups))
		return true;
	if (limen_value_type(groups) != LIMEN_TYPE_ARRAY) {
		limen_diag_add(run->diag, LIMEN_PROBLEM, groups,
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
	json_key(run->hints, "groups");
	json_value(run->hints, groups);
	return true;
}

static bool
take_documents(reading *run)
{
	limen_value object, old;
	const char *prefix;

	if (!read_member(run, "object", LIMEN_TYPE_OBJECT, &object) ||
	    !read_member(run, "oldObject", LIMEN_TYPE_OBJECT, &old) ||
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

	if (!read_member(run, "dryRun", LIMEN_TYPE_BOOL, &member))
		return false;
	limen_value_bool(member, &dry_run);
	limen_request_set_dry_run(run->request, dry_run);
	return true;
}

/* All at once: hints that are added one by one are copied each time. */
static void
set_hints(reading *run)
{
	limen_documents *parsed = NULL;
	int result;

	g_string_append_c(run->hints, '}');
	result = limen_documents_parse("hints.json", run->hints->str, run->hints->len, 0, &parsed,
	                               NULL);
	note_result(run, result);
	if (result == LIMEN_OK)
		note_result(run, limen_request_set_hints(run->request,
		                                         limen_documents_get(parsed, 0)));
	limen_documents_free(parsed);
}

static bool
take_all(reading *run, const review_peer *peer)
{
	bool good;

	if (peer != NULL && peer->requester != NULL)
		json_put_string(run->hints, "requester", peer->requester);
	if (peer != NULL && peer->server != NULL)
		json_put_string(run->hints, "server", peer->server);
	good = take_groups(run);
	good = take_texts(run) && good;
	good = take_documents(run) && good;
	good = take_dry_run(run) && good;
	if (good)
		set_hints(run);
	return good;
}

limen_request *
review_read(limen_value document, const review_peer *peer, limen_diag *diag, char **why)
{
	reading run = { .review = limen_value_get(document, "request"), .diag = diag };

	if (limen_value_type(run.review) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_PROBLEM, document,
		               "an AdmissionReview without a 'request'");
		return NULL;
	}
	run.request = limen_request_new(LIMEN_OBJECT);
	if (run.request == NULL) {
		*why = g_strdup("out of memory");
		return NULL;
	}
	run.hints = g_string_sized_new(512);
	json_open(run.hints, '{');
	if (!take_all(&run, peer) || run.failed) {
		if (run.failed)
			*why = g_strdup("the AdmissionReview cannot be taken over");
		limen_request_free(run.request);
		run.request = NULL;
	}
	g_string_free(run.hints, TRUE);
	return run.request;
}

/* ---- what came over HTTP ---- */

static const char *const versions[] = { "admission.k8s.io/v1", "admission.k8s.io/v1beta1" };

/* Returns the version as static text, or NULL. */
static const char *
find_version(limen_value api)
{
	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++)
		if (limen_value_is(api, versions[i]))
			return versions[i];
	return NULL;
}

/* Says which text stands where another should; a long one is cut. */
static void
refuse_text(limen_diag *diag, limen_value found, const char *key, const char *wanted)
{
	const char *text = limen_value_string(found, NULL);

	if (text == NULL)
		limen_diag_add(diag, LIMEN_PROBLEM, found, "%s: must be %s", key, wanted);
	else
		limen_diag_add(diag, LIMEN_PROBLEM, found, "%s: must be %s, not \"%.64s\"", key, wanted,
		               text);
}

/* Is 'document' a review that can be answered?  Stores its version; false with a problem. */
static bool
check_review(limen_value document, const char **api, limen_diag *diag)
{
	limen_value kind = limen_value_get(document, "kind");
	limen_value version = limen_value_get(document, "apiVersion");
	limen_value request = limen_value_get(document, "request");
	size_t length = 0;

	*api = find_version(version);
	if (limen_value_type(document) != LIMEN_TYPE_OBJECT)
		limen_diag_add(diag, LIMEN_PROBLEM, document, "an AdmissionReview is an object");
	else if (!limen_value_is(kind, "AdmissionReview"))
		refuse_text(diag, kind, "kind", "\"AdmissionReview\"");
	else if (*api == NULL)
		refuse_text(diag, version, "apiVersion",
		            "\"admission.k8s.io/v1\" or \"admission.k8s.io/v1beta1\"");
	else if (limen_value_type(request) != LIMEN_TYPE_OBJECT)
		limen_diag_add(diag, LIMEN_PROBLEM, document, "request: must be an object");
	else if (limen_value_string(limen_value_get(request, "uid"), &length) == NULL ||
	         length == 0)
		limen_diag_add(diag, LIMEN_PROBLEM, request,
		               "request.uid: must be a string that is not empty");
	else
		return true;
	return false;
}

limen_request *
review_parse(const char *text, size_t length, const review_peer *peer, const char **api,
             limen_diag *diag)
{
	limen_documents *parsed = NULL;
	limen_request *req = NULL;
	char *why = NULL;

	if (limen_documents_parse("review.json", text, length, 0, &parsed, diag) == LIMEN_OK &&
	    check_review(limen_documents_get(parsed, 0), api, diag))
		req = review_read(limen_documents_get(parsed, 0), peer, diag, &why);
	limen_documents_free(parsed);
	g_free(why);
	return req;
}
