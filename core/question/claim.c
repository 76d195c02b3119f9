/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claim.c - fills the envelope of a request about an object: kind, resource and names from a
 * manifest, and the operation, the user and the groups from what its sender says.
 */
#include "question.h"

#include <stdlib.h>

#include "base/sized.h"
#include "base/strbuf.h"

bool
limen_review_is(limen_value value)
{
	return limen_value_is(limen_value_get(value, "kind"), "AdmissionReview");
}

bool
question_options_copy(const limen_question_options *options, limen_question_options *out)
{
	*out = (limen_question_options){ .size = sizeof(*out) };
	return options == NULL || (options->size >= offsetof(limen_question_options, trusted) &&
	                       sized_copy(out, sizeof(*out), options) &&
	                       out->subject <= LIMEN_SUBJECT_HTTP);
}

int
question_field(limen_value value, const char *field, limen_diag *diag, const char **out)
{
	bool is_text = limen_value_type(value) == LIMEN_TYPE_STRING;

	if (question_text(value, out))
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "%s: must %s", field,
	               is_text ? "not hold a NUL" : "be a string");
	return LIMEN_EINVAL;
}

int
question_check_repeated(limen_value object, limen_diag *diag)
{
	limen_value key = value_repeated_key(object);
	place first = value_place(key);

	if (!limen_value_exists(key))
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, key,
	               "member '%.100s' is repeated; the first is at line %u column %u",
	               limen_value_string(key, NULL), first.line, first.column);
	return LIMEN_EINVAL;
}

/* ---- from a manifest ---- */

/* The names of a manifest; unknown texts are NULL. */
typedef struct identity {
	const char *api;
	const char *kind;
	const char *namespace;
	const char *name;
	const char *prefix; /* generateName */
	bool misplaced;     /* its namespace is malformed */
} identity;

static int
read_namespace(limen_value metadata, limen_diag *diag, identity *out)
{
	limen_type type = limen_value_type(metadata);

	if (type <= LIMEN_TYPE_NULL || type == LIMEN_TYPE_OBJECT)
		return question_field(limen_value_get(metadata, "namespace"),
		                      "metadata.namespace", diag, &out->namespace);
	out->namespace = NULL;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, metadata, "metadata: must be an object");
	return LIMEN_EINVAL;
}

static int
read_names(limen_value object, limen_diag *diag, identity *out)
{
	limen_value metadata = limen_value_get(object, "metadata");
	int placed = read_namespace(metadata, diag, out);

	out->misplaced = placed != LIMEN_OK;
	return placed |
	       question_field(limen_value_get(object, "apiVersion"), "apiVersion", diag, &out->api) |
	       question_field(limen_value_get(object, "kind"), "kind", diag, &out->kind) |
	       question_field(limen_value_get(metadata, "name"), "metadata.name", diag, &out->name) |
	       question_field(limen_value_get(metadata, "generateName"), "metadata.generateName",
	                      diag, &out->prefix);
}

/* Sets the plural, as the Kubernetes API guesses it for kinds without a known resource. */
static int
set_resource(limen_request *req, const char *kind)
{
	char room[128];
	strbuf plural = strbuf_within(room, sizeof(room));
	size_t length = strlen(kind);
	const char *end = "s";
	int result;

	for (const char *c = kind; *c != '\0'; c++)
		strbuf_addc(&plural, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
	if (plural.failed || length == 0 || strcmp(plural.text, "endpoints") == 0) {
		end = length == 0 ? "s" : "";
	} else if (plural.text[length - 1] == 's') {
		end = "es";
	} else if (plural.text[length - 1] == 'y') {
		end = "ies";
		plural.length--;
	}
	strbuf_adds(&plural, end);
	result = plural.failed ? LIMEN_ENOMEM
	                       : limen_request_set_field(req, LIMEN_FIELD_RESOURCE, plural.text);
	strbuf_free(&plural);
	return result;
}

/* Sets fields of the envelope; texts that are NULL stay as they are. */
static int
set_fields(limen_request *req, const limen_field *fields, const char *const *texts, size_t count)
{
	int result = LIMEN_OK;

	for (size_t i = 0; i < count && result == LIMEN_OK; i++)
		if (texts[i] != NULL)
			result = limen_request_set_field(req, fields[i], texts[i]);
	return result;
}

static int
set_kind(limen_request *req, const char *api, const char *kind)
{
	static const limen_field fields[] = { LIMEN_FIELD_GROUP, LIMEN_FIELD_RESOURCE_GROUP,
		                              LIMEN_FIELD_VERSION, LIMEN_FIELD_RESOURCE_VERSION,
		                              LIMEN_FIELD_KIND };
	const char *slash = strchr(api, '/');
	char *api_group = strndup(api, slash == NULL ? 0 : (size_t)(slash - api));
	const char *version = slash == NULL ? api : slash + 1;
	int result = LIMEN_ENOMEM;

	if (api_group != NULL)
		result = set_fields(req, fields,
		                    (const char *[]){ api_group, api_group, version, version, kind }, 5);
	free(api_group);
	return result == LIMEN_OK ? set_resource(req, kind) : result;
}

int
question_describe(limen_request *req, const char *api_version, const char *kind,
                  const char *default_namespace, limen_diag *diag)
{
	static const limen_field fields[] = { LIMEN_FIELD_NAME, LIMEN_FIELD_GENERATE_NAME,
		                              LIMEN_FIELD_NAMESPACE, LIMEN_FIELD_OPERATION };
	limen_value object = limen_request_document(req);
	int result = LIMEN_OK;
	identity found;
	int named = read_names(limen_value_exists(object) ? object : limen_request_old(req), diag,
	                       &found);

	if (found.api == NULL)
		found.api = api_version;
	if (found.kind == NULL)
		found.kind = kind;
	/* Without a namespace, admission entries refuse an object whose own is malformed. */
	if (!found.misplaced && (found.namespace == NULL || found.namespace[0] == '\0'))
		found.namespace = default_namespace == NULL ? "default" : default_namespace;
	if (found.api != NULL && found.kind != NULL)
		result = set_kind(req, found.api, found.kind);
	if (result == LIMEN_OK)
		result = set_fields(req, fields,
		                    (const char *[]){ found.name, found.prefix, found.namespace,
		                                      "CREATE" }, 4);
	return result == LIMEN_OK ? named : result;
}

/* Makes the hints at once: the fields may hold texts of the caller that are not UTF-8. */
static int
hint(limen_request *req, limen_value groups)
{
	int result = request_hint_envelope(req, groups, NULL, NULL);

	return result == LIMEN_OK ? request_make_hints(req) : result;
}

int
limen_request_describe(limen_request *req, const char *api_version, const char *kind,
                       const char *default_namespace, limen_diag *diag)
{
	int named = req == NULL ? LIMEN_ENOMEM
	                        : question_describe(req, api_version, kind, default_namespace, diag);
	int hints = named == LIMEN_ENOMEM ? named : hint(req, limen_value_none());

	return hints == LIMEN_OK ? named : hints;
}

/* ---- from its sender ---- */

bool
question_is_operation(const char *text)
{
	static const char *const words[] = { "CREATE", "UPDATE", "DELETE", "CONNECT" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Adds a problem and returns LIMEN_EINVAL. */
static int
refuse(limen_diag *diag, limen_value where, const char *text)
{
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s", text);
	return LIMEN_EINVAL;
}

static int
add_groups(limen_request *req, limen_value groups, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(groups);
	int result = LIMEN_OK;
	limen_value element;

	if (limen_value_type(groups) > LIMEN_TYPE_NULL && limen_value_type(groups) != LIMEN_TYPE_ARRAY)
		return refuse(diag, groups, "'groups' must be an array of strings");
	while (result == LIMEN_OK && limen_iter_next(&iter, NULL, &element)) {
		const char *name;

		if (!question_text(element, &name) || name == NULL)
			return refuse(diag, element, "'groups' must be an array of strings");
		result = limen_request_add_group(req, name);
	}
	return result;
}

int
question_claim(limen_request *req, limen_value operation, limen_value user, limen_value groups,
               limen_diag *diag)
{
	static const limen_field fields[] = { LIMEN_FIELD_OPERATION, LIMEN_FIELD_USER };
	const char *word, *name;
	int result;

	if (!question_text(operation, &word))
		return refuse(diag, operation, "'operation' must be a string without a NUL");
	if (word != NULL && !question_is_operation(word))
		return refuse(diag, operation,
		              "'operation' must be CREATE, UPDATE, DELETE or CONNECT");
	if (!question_text(user, &name))
		return refuse(diag, user, "'user' must be a string without a NUL");
	result = set_fields(req, fields, (const char *[]){ word, name }, 2);
	return result == LIMEN_OK ? add_groups(req, groups, diag) : result;
}

int
limen_request_claim(limen_request *req, limen_value operation, limen_value user,
                    limen_value groups, limen_diag *diag)
{
	int result = req == NULL ? LIMEN_ENOMEM
	                         : question_claim(req, operation, user, groups, diag);

	return result == LIMEN_OK ? hint(req, groups) : result;
}
