/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review.c - fills the envelope of a request (kind, resource, name, namespace, operation CREATE)
 * from a manifest, and guesses the resource name from the kind.  review_read.c reads
 * AdmissionReviews.
 */
#include "review.h"

#include <glib.h>
#include <string.h>

#include "plain_text.h"
#include "print.h"

bool
review_is(limen_value document)
{
	return limen_value_is(limen_value_get(document, "kind"), "AdmissionReview");
}

bool
review_text(limen_value value, const char *field, limen_diag *diag, const char **out)
{
	bool is_text = limen_value_type(value) == LIMEN_TYPE_STRING;

	if (plain_text(value, out))
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "%s: must %s", field,
	               is_text ? "not hold a NUL" : "be a string");
	return false;
}

/* Guesses the plural as the Kubernetes API does for kinds without a known resource name. */
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
		plural = print_text("%.*sies", (int)length - 1, lower);
	else
		plural = g_strconcat(lower, "s", NULL);
	g_free(lower);
	return plural;
}

/* Sets a field of the envelope unless 'text' is NULL. */
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

	bool good = true;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		good = review_text(rows[i].value, rows[i].field, diag, rows[i].text) && good;
	return good;
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
