/* SPDX-License-Identifier: Apache-2.0 */
#include "review_answer.h"

#include <stdlib.h>
#include <string.h>

#include "json_out.h"

/* What the API server shows of a warning: longer ones may be cut or dropped. */
#define WARNING_MAX 120

bool
review_answer_knows(const char *api)
{
	return api != NULL && (strcmp(api, "admission.k8s.io/v1") == 0 ||
	                       strcmp(api, "admission.k8s.io/v1beta1") == 0);
}

/* The words of metav1.StatusReason. */
static const char *
name_code(int code)
{
	switch (code) {
	case 403:
		return "Forbidden";
	case 422:
		return "Invalid";
	case 429:
		return "TooManyRequests";
	default:
		return "InternalError";
	}
}

/*
 * The messages alone: kube-apiserver puts words of its own before them.  Each
 * once, several as "[A, B]".
 */
static char *
join_messages(const limen_decision *decision)
{
	GPtrArray *texts = g_ptr_array_new();
	const limen_violation *one = limen_decision_violation(decision, 0);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GString *joined = g_string_new(NULL);

	for (size_t i = 1; one != NULL; i++) {
		if (g_hash_table_add(seen, (gpointer)one->message))
			g_ptr_array_add(texts, (gpointer)one->message);
		one = limen_decision_violation(decision, i);
	}
	for (guint i = 0; i < texts->len; i++)
		g_string_append_printf(joined, "%s%s", i > 0 ? ", " : texts->len > 1 ? "[" : "",
		                       (const char *)g_ptr_array_index(texts, i));
	if (texts->len > 1)
		g_string_append_c(joined, ']');
	if (texts->len == 0 || limen_decision_code(decision) == 500)
		g_string_assign(joined, limen_decision_reason(decision));
	g_hash_table_unref(seen);
	g_ptr_array_unref(texts);
	return g_string_free(joined, FALSE);
}

static void
add_status(GString *out, const limen_decision *decision)
{
	limen_value details = limen_decision_details(decision);
	char *message = join_messages(decision);
	int code = limen_decision_code(decision);

	json_key(out, "status");
	json_open(out, '{');
	json_put_string(out, "status", "Failure");
	json_put_int(out, "code", code);
	json_put_string(out, "reason", name_code(code));
	json_put_string(out, "message", message);
	if (limen_value_exists(details)) {
		json_key(out, "details");
		json_value(out, details);
	}
	g_string_append_c(out, '}');
	g_free(message);
}

/* An answer that changes nothing must have neither of the two. */
static void
add_patch(GString *out, const limen_decision *decision)
{
	limen_value patch = limen_decision_patch(decision);
	size_t length = 0;
	char *text, *encoded;

	if (limen_value_count(patch) == 0)
		return;
	text = limen_value_print(patch, 0, &length);
	if (text == NULL)
		g_error("out of memory");
	encoded = g_base64_encode((const guchar *)text, length);
	json_put_string(out, "patchType", "JSONPatch");
	json_put_string(out, "patch", encoded);
	g_free(encoded);
	free(text);
}

/* A key must be a name, without the slash that kube-apiserver puts before it. */
static void
add_annotations(GString *out, const limen_decision *decision)
{
	const limen_annotation *one = limen_decision_annotation(decision, 0);
	GHashTable *seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 1; one != NULL; i++) {
		char *key = g_strndup(one->key, 63);

		g_strcanon(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.",
		           '-');
		if (g_hash_table_add(seen, key)) {
			if (g_hash_table_size(seen) == 1) {
				json_key(out, "auditAnnotations");
				json_open(out, '{');
			}
			json_put_string(out, key, one->value);
		}
		one = limen_decision_annotation(decision, i);
	}
	if (g_hash_table_size(seen) > 0)
		g_string_append_c(out, '}');
	g_hash_table_unref(seen);
}

/* One line of at most 120 characters: control characters make the header invalid. */
static void
add_warning(GString *out, const char *text)
{
	GString *clean = g_string_new(NULL);
	glong length = 0;

	for (const char *at = text; *at != '\0' && length < WARNING_MAX;
	     at = g_utf8_next_char(at), length++) {
		gunichar one = g_utf8_get_char(at);

		g_string_append_unichar(clean, g_unichar_iscntrl(one) ? ' ' : one);
	}
	json_string(out, clean->str);
	g_string_free(clean, TRUE);
}

static void
add_warnings(GString *out, const limen_decision *decision)
{
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	if (count == 0)
		return;
	json_key(out, "warnings");
	json_open(out, '[');
	for (size_t i = 0; i < count; i++)
		add_warning(out, warnings[i]);
	g_string_append_c(out, ']');
}

GString *
review_answer_make(const limen_decision *decision, const limen_request *req, const char *api)
{
	const char *uid = limen_request_field(req, LIMEN_FIELD_UID);
	bool allowed = limen_decision_admitted(decision);
	GString *out = g_string_new(NULL);

	json_open(out, '{');
	json_put_string(out, "apiVersion", api);
	json_put_string(out, "kind", "AdmissionReview");
	json_key(out, "response");
	json_open(out, '{');
	json_put_string(out, "uid", uid == NULL ? "" : uid);
	json_put_bool(out, "allowed", allowed);
	if (allowed)
		add_patch(out, decision);
	else
		add_status(out, decision);
	add_annotations(out, decision);
	add_warnings(out, decision);
	g_string_append(out, "}}");
	return out;
}
