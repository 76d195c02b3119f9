/* SPDX-License-Identifier: Apache-2.0 */
#include "review.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "hints.h"

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

bool
review_is(limen_value document)
{
	return limen_value_is(limen_value_get(document, "kind"), "AdmissionReview");
}

/* Returns the text of 'value', or NULL if it is none or holds a NUL. */
static const char *
read_text(limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	return text != NULL && strlen(text) == length ? text : NULL;
}

static bool
set_texts(limen_request *req, limen_value review)
{
	bool good = true;

	for (size_t i = 0; i < G_N_ELEMENTS(text_rows); i++) {
		const text_row *row = &text_rows[i];
		limen_value member = limen_value_get(review, row->member);
		const char *text = read_text(row->below == NULL ? member
		                             : limen_value_get(member, row->below));

		if (text == NULL)
			continue;
		good = good && limen_request_set_field(req, row->field, text) == LIMEN_OK;
		if (row->hint != NULL)
			good = good && limen_request_set_hint(req, row->hint, text) == LIMEN_OK;
	}
	return good;
}

static bool
set_groups(limen_request *req, limen_value groups)
{
	limen_iter iter = limen_iter_start(groups);
	limen_value group;
	bool good = true;

	if (limen_value_type(groups) != LIMEN_TYPE_ARRAY)
		return true;
	while (limen_iter_next(&iter, NULL, &group)) {
		const char *name = read_text(group);

		if (name != NULL)
			good = good && limen_request_add_group(req, name) == LIMEN_OK;
	}
	return good && hints_add_list(req, "groups", groups);
}

static bool
set_documents(limen_request *req, limen_value review, limen_diag *diag)
{
	limen_value object = limen_value_get(review, "object");
	limen_value old = limen_value_get(review, "oldObject");
	const char *prefix = read_text(limen_value_get(limen_value_get(object, "metadata"),
	                                               "generateName"));
	size_t length = 0;
	char *text = NULL;
	bool good = true;

	if (prefix != NULL)
		good = limen_request_set_field(req, LIMEN_FIELD_GENERATE_NAME, prefix) == LIMEN_OK;
	if (limen_value_type(object) == LIMEN_TYPE_OBJECT)
		good = good && limen_request_set_document(req, object) == LIMEN_OK;
	if (limen_value_type(old) == LIMEN_TYPE_OBJECT) {
		text = limen_value_print(old, 0, &length);
		good = good && text != NULL &&
		       limen_request_parse_old(req, text, length, diag) == LIMEN_OK;
		free(text);
	}
	return good;
}

limen_request *
review_read(limen_value document, limen_diag *diag, char **why)
{
	limen_value review = limen_value_get(document, "request");
	limen_request *req;
	bool dry_run = false;

	if (limen_value_type(review) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_PROBLEM, document,
		               "an AdmissionReview without a 'request'");
		return NULL;
	}
	req = limen_request_new(LIMEN_OBJECT);
	if (req == NULL ||
	    !set_groups(req, limen_value_get(limen_value_get(review, "userInfo"), "groups")) ||
	    !set_texts(req, review) || !set_documents(req, review, diag)) {
		*why = g_strdup("the AdmissionReview cannot be taken over");
		limen_request_free(req);
		return NULL;
	}
	if (limen_value_bool(limen_value_get(review, "dryRun"), &dry_run))
		limen_request_set_dry_run(req, dry_run);
	return req;
}

/* The plural that the API guesses for a kind it has no resource name for. */
static char *
guess_resource(const char *kind)
{
	char *lower = g_ascii_strdown(kind, -1);
	size_t length = strlen(lower);
	char *plural;

	if (strcmp(lower, "endpoints") == 0)
		return lower;
	if (g_str_has_suffix(lower, "s"))
		plural = g_strconcat(lower, "es", NULL);
	else if (g_str_has_suffix(lower, "y"))
		plural = g_strdup_printf("%.*sies", (int)length - 1, lower);
	else
		plural = g_strconcat(lower, "s", NULL);
	g_free(lower);
	return plural;
}

/* Sets a text of the envelope unless it is NULL. */
static bool
set_given(limen_request *req, limen_field field, const char *text)
{
	return text == NULL || limen_request_set_field(req, field, text) == LIMEN_OK;
}

static bool
describe_kind(limen_request *req, const char *api, const char *kind)
{
	const char *slash = strchr(api, '/');
	char *group = slash == NULL ? g_strdup("") : g_strndup(api, (size_t)(slash - api));
	const char *version = slash == NULL ? api : slash + 1;
	char *resource = guess_resource(kind);
	bool good = set_given(req, LIMEN_FIELD_GROUP, group) &&
	            set_given(req, LIMEN_FIELD_VERSION, version) &&
	            set_given(req, LIMEN_FIELD_KIND, kind) &&
	            set_given(req, LIMEN_FIELD_RESOURCE_GROUP, group) &&
	            set_given(req, LIMEN_FIELD_RESOURCE_VERSION, version) &&
	            set_given(req, LIMEN_FIELD_RESOURCE, resource) &&
	            limen_request_set_hint(req, "resource", resource) == LIMEN_OK;

	g_free(group);
	g_free(resource);
	return good;
}

bool
review_describe(limen_request *req, const review_identity *identity)
{
	const char *namespace = identity->namespace == NULL ? "default" : identity->namespace;

	if (identity->kind != NULL && identity->api != NULL &&
	    !describe_kind(req, identity->api, identity->kind))
		return false;
	return set_given(req, LIMEN_FIELD_NAME, identity->name) &&
	       set_given(req, LIMEN_FIELD_GENERATE_NAME, identity->prefix) &&
	       set_given(req, LIMEN_FIELD_NAMESPACE, namespace) &&
	       set_given(req, LIMEN_FIELD_OPERATION, "CREATE") &&
	       limen_request_set_hint(req, "namespace", namespace) == LIMEN_OK &&
	       limen_request_set_hint(req, "operation", "CREATE") == LIMEN_OK;
}

bool
review_describe_manifest(limen_request *req, const char *namespace)
{
	limen_value document = limen_request_document(req);
	limen_value metadata = limen_value_get(document, "metadata");
	const char *own = read_text(limen_value_get(metadata, "namespace"));
	const review_identity identity = {
		.api = read_text(limen_value_get(document, "apiVersion")),
		.kind = read_text(limen_value_get(document, "kind")),
		.namespace = own == NULL || own[0] == '\0' ? namespace : own,
		.name = read_text(limen_value_get(metadata, "name")),
		.prefix = read_text(limen_value_get(metadata, "generateName")),
	};

	return review_describe(req, &identity);
}
