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

static bool
is_absent(limen_value value)
{
	limen_type type = limen_value_type(value);

	return type == LIMEN_TYPE_NONE || type == LIMEN_TYPE_NULL;
}

bool
review_text(limen_value value, const char *field, limen_diag *diag, const char **out)
{
	size_t length = 0;

	*out = limen_value_string(value, &length);
	if (*out == NULL && !is_absent(value)) {
		limen_diag_add(diag, LIMEN_PROBLEM, value, "%s: must be a string", field);
		return false;
	}
	if (*out != NULL && strlen(*out) != length) {
		limen_diag_add(diag, LIMEN_PROBLEM, value, "%s: must not hold a NUL", field);
		return false;
	}
	return true;
}

/* Taking an AdmissionReview apart.  What cannot be read must not count as left out. */
typedef struct taking {
	limen_request *req;
	limen_value review;
	limen_diag *diag;
} taking;

/* Is the member absent or of 'type'?  'what' names the type in the report. */
static bool
check_member(const taking *at, limen_value parent, const char *name, limen_type type,
             const char *what)
{
	limen_value member = limen_value_get(parent, name);

	if (is_absent(member) || limen_value_type(member) == type)
		return true;
	limen_diag_add(at->diag, LIMEN_PROBLEM, member, "%s: must be %s", name, what);
	return false;
}

static bool
set_text(const taking *at, const text_row *row)
{
	limen_value member = limen_value_get(at->review, row->member);
	const char *text;

	if (row->below != NULL &&
	    !check_member(at, at->review, row->member, LIMEN_TYPE_OBJECT, "an object"))
		return false;
	if (row->below != NULL)
		member = limen_value_get(member, row->below);
	if (!review_text(member, row->below == NULL ? row->member : row->below, at->diag, &text))
		return false;
	if (text == NULL)
		return true;
	return limen_request_set_field(at->req, row->field, text) == LIMEN_OK &&
	       (row->hint == NULL || limen_request_set_hint(at->req, row->hint, text) == LIMEN_OK);
}

static bool
set_texts(const taking *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(text_rows); i++)
		if (!set_text(at, &text_rows[i]))
			return false;
	return true;
}

static bool
set_groups(const taking *at)
{
	limen_value user = limen_value_get(at->review, "userInfo");
	limen_value groups = limen_value_get(user, "groups");
	limen_iter iter = limen_iter_start(groups);
	limen_value group;
	const char *name;

	if (!check_member(at, at->review, "userInfo", LIMEN_TYPE_OBJECT, "an object") ||
	    !check_member(at, user, "groups", LIMEN_TYPE_ARRAY, "an array"))
		return false;
	while (limen_iter_next(&iter, NULL, &group)) {
		if (!review_text(group, "groups", at->diag, &name))
			return false;
		/* Go decodes null as the empty text. */
		if (limen_request_add_group(at->req, name == NULL ? "" : name) != LIMEN_OK)
			return false;
	}
	return is_absent(groups) || hints_add_list(at->req, "groups", groups);
}

static bool
set_object(const taking *at, limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_value generated = limen_value_get(metadata, "generateName");
	const char *prefix;

	if (!check_member(at, at->review, "object", LIMEN_TYPE_OBJECT, "an object") ||
	    !review_text(generated, "generateName", at->diag, &prefix))
		return false;
	if (prefix != NULL &&
	    limen_request_set_field(at->req, LIMEN_FIELD_GENERATE_NAME, prefix) != LIMEN_OK)
		return false;
	return is_absent(object) || limen_request_set_document(at->req, object) == LIMEN_OK;
}

static bool
set_old(const taking *at, limen_value old)
{
	size_t length = 0;
	char *text;
	bool good;

	if (!check_member(at, at->review, "oldObject", LIMEN_TYPE_OBJECT, "an object"))
		return false;
	if (is_absent(old))
		return true;
	text = limen_value_print(old, 0, &length);
	good = text != NULL &&
	       limen_request_parse_old(at->req, text, length, at->diag) == LIMEN_OK;
	free(text);
	return good;
}

static bool
set_dry_run(const taking *at)
{
	bool dry_run = false;

	if (!check_member(at, at->review, "dryRun", LIMEN_TYPE_BOOL, "true or false"))
		return false;
	if (limen_value_bool(limen_value_get(at->review, "dryRun"), &dry_run))
		limen_request_set_dry_run(at->req, dry_run);
	return true;
}

limen_request *
review_read(limen_value document, limen_diag *diag, char **why)
{
	size_t before = limen_diag_count(diag, LIMEN_PROBLEM);
	taking at = { .review = limen_value_get(document, "request"), .diag = diag };

	if (limen_value_type(at.review) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_PROBLEM, document,
		               "an AdmissionReview without a 'request'");
		return NULL;
	}
	at.req = limen_request_new(LIMEN_OBJECT);
	if (at.req != NULL && set_groups(&at) && set_texts(&at) &&
	    set_object(&at, limen_value_get(at.review, "object")) &&
	    set_old(&at, limen_value_get(at.review, "oldObject")) && set_dry_run(&at))
		return at.req;
	if (limen_diag_count(diag, LIMEN_PROBLEM) == before)
		*why = g_strdup("the AdmissionReview cannot be taken over");
	limen_request_free(at.req);
	return NULL;
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
review_identify(limen_value object, limen_diag *diag, review_identity *out)
{
	limen_value metadata = limen_value_get(object, "metadata");
	const struct {
		limen_value value;
		const char *field;
		const char **text;
	} rows[] = {
		{ limen_value_get(object, "apiVersion"), "apiVersion", &out->api },
		{ limen_value_get(object, "kind"), "kind", &out->kind },
		{ limen_value_get(metadata, "namespace"), "metadata.namespace", &out->namespace },
		{ limen_value_get(metadata, "name"), "metadata.name", &out->name },
		{ limen_value_get(metadata, "generateName"), "metadata.generateName", &out->prefix },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (!review_text(rows[i].value, rows[i].field, diag, rows[i].text))
			return false;
	return true;
}

bool
review_describe_manifest(limen_request *req, const char *namespace, limen_diag *diag)
{
	review_identity identity;

	if (!review_identify(limen_request_document(req), diag, &identity))
		return false;
	if (identity.namespace == NULL || identity.namespace[0] == '\0')
		identity.namespace = namespace;
	return review_describe(req, &identity);
}
