/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_answer.c - writes the AdmissionReview response of a decision: the status with the
 * violation messages, or the patch in base64, then audit annotations and warnings.  Shortens
 * annotation keys and warnings to sizes that kube-apiserver keeps whole.
 */
#include "review_answer.h"

#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "print.h"

/* Characters of a warning that the API server keeps; longer ones may be cut or dropped. */
#define WARNING_MAX 120

/* Size of all warnings of a request that the API server keeps. */
#define WARNINGS_MAX 4096

/* Maximum length of a qualified name in Kubernetes. */
#define KEY_MAX 63

bool
review_answer_knows(const char *api)
{
	return api != NULL && (strcmp(api, "admission.k8s.io/v1") == 0 ||
	                       strcmp(api, "admission.k8s.io/v1beta1") == 0);
}

/* Returns the word of metav1.StatusReason for an HTTP status. */
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

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(a, b);
}

/*
 * Returns the violation messages alone, because kube-apiserver adds a prefix.  Repeated
 * messages appear once; several are joined as "[A, B]".  Messages quote the object, whose
 * author may choose texts that collide under g_str_hash().
 */
static char *
join_messages(const limen_decision *decision)
{
	GPtrArray *texts = g_ptr_array_new();
	const limen_violation *one = limen_decision_violation(decision, 0);
	GTree *seen = g_tree_new(compare_texts);
	GString *joined = g_string_new(NULL);

	for (size_t i = 1; one != NULL; i++) {
		gpointer text = (gpointer)one->message;

		if (g_tree_lookup(seen, text) == NULL) {
			g_tree_insert(seen, text, text);
			g_ptr_array_add(texts, text);
		}
		one = limen_decision_violation(decision, i);
	}
	for (guint i = 0; i < texts->len; i++)
		print_append(joined, "%s%s", i > 0 ? ", " : texts->len > 1 ? "[" : "",
		             (const char *)g_ptr_array_index(texts, i));
	if (texts->len > 1)
		g_string_append_c(joined, ']');
	if (texts->len == 0 || limen_decision_code(decision) == 500)
		g_string_assign(joined, limen_decision_reason(decision));
	g_tree_unref(seen);
	g_ptr_array_unref(texts);
	return g_string_free(joined, FALSE);
}

/* Writes retryAfterSeconds only, the one detail that clients act on. */
static void
add_wait(GString *out, limen_value details)
{
	limen_value wait = limen_value_get(details, "retryAfterSeconds");

	if (!limen_value_exists(wait))
		return;
	json_write(out, "details:{retryAfterSeconds:v}", wait);
}

static void
add_status(GString *out, const limen_decision *decision, const char *only)
{
	limen_value details = limen_decision_details(decision);
	char *message = only == NULL ? join_messages(decision) : g_strdup(only);
	int code = limen_decision_code(decision);

	json_write(out, "status:{status:s code:d reason:s message:s", "Failure", code,
	           name_code(code), message);
	if (only != NULL)
		add_wait(out, details);
	else if (limen_value_exists(details))
		json_write(out, "details:v", details);
	g_string_append_c(out, '}');
	g_free(message);
}

/* Writes 'text' as a string of base64 in quotes, in place. */
static void
add_base64(GString *out, const char *text, size_t length)
{
	size_t start = out->len + 1;
	int state = 0, save = 0;
	size_t end;

	g_string_append_c(out, '"');
	g_string_set_size(out, start + (length / 3 + 1) * 4 + 4);
	end = start + g_base64_encode_step((const guchar *)text, length, FALSE, out->str + start,
	                                   &state, &save);
	end += g_base64_encode_close(FALSE, out->str + end, &state, &save);
	g_string_truncate(out, end);
	g_string_append_c(out, '"');
}

/* Writes "patchType" and "patch"; an answer without changes must have neither. */
static void
add_patch(GString *out, const limen_decision *decision)
{
	limen_value patch = limen_decision_patch(decision);
	size_t length = 0;
	char *text;

	if (limen_value_count(patch) == 0)
		return;
	text = limen_value_to_json(patch, 0, &length);
	if (text == NULL)
		g_error("out of memory");
	json_put_string(out, "patchType", "JSONPatch");
	json_key(out, "patch");
	add_base64(out, text, length);
	free(text);
}

/*
 * Returns 'name' as an annotation key: letters, digits, "-", "_" and ".", with a letter or
 * digit at both ends.  kube-apiserver puts the name of the webhook and a slash before it.
 */
static char *
clean_key(const char *name)
{
	char *key = g_strndup(name, KEY_MAX);
	char *start = key;
	size_t length;

	g_strcanon(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", '-');
	while (*start != '\0' && !g_ascii_isalnum(*start))
		start++;
	length = strlen(start);
	while (length > 0 && !g_ascii_isalnum(start[length - 1]))
		length--;
	start[length] = '\0';
	start = g_strdup(length == 0 ? "limen" : start);
	g_free(key);
	return start;
}

/* Numbers keys that would be equal: kube-apiserver would drop one of them. */
static char *
make_key(const char *name, GHashTable *seen)
{
	char *plain = clean_key(name);
	char *key = g_strdup(plain);

	for (unsigned number = 2; g_hash_table_contains(seen, key); number++) {
		char end[16];

		g_snprintf(end, sizeof(end), "-%u", number);
		g_free(key);
		key = print_text("%.*s%s", (int)(KEY_MAX - strlen(end)), plain, end);
	}
	g_free(plain);
	return key;
}

static void
add_annotations(GString *out, const limen_decision *decision)
{
	const limen_annotation *one = limen_decision_annotation(decision, 0);
	GHashTable *seen;

	if (one == NULL)
		return;
	seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	json_write(out, "auditAnnotations:{");
	for (size_t i = 1; one != NULL; i++) {
		char *key = make_key(one->key, seen);

		json_put_string(out, key, one->value);
		g_hash_table_add(seen, key);
		one = limen_decision_annotation(decision, i);
	}
	g_string_append_c(out, '}');
	g_hash_table_unref(seen);
}

/*
 * Returns 'text' as one line of at most 120 characters, and stores its length.  Control
 * characters are removed: they would make the HTTP header of the warning invalid.
 */
static char *
clean_warning(const char *text, size_t *length)
{
	char *valid = g_utf8_make_valid(text, -1);
	bool cut = g_utf8_strlen(valid, -1) > WARNING_MAX;
	size_t most = cut ? WARNING_MAX - 3 : WARNING_MAX;
	GString *clean = g_string_new(NULL);

	*length = 0;
	for (const char *at = valid; *at != '\0' && *length < most; at = g_utf8_next_char(at)) {
		gunichar one = g_utf8_get_char(at);

		g_string_append_unichar(clean, g_unichar_iscntrl(one) ? ' ' : one);
		++*length;
	}
	if (cut) {
		g_string_append(clean, "...");
		*length += 3;
	}
	g_free(valid);
	return g_string_free(clean, FALSE);
}

/* Writes the warnings that fit, and the number of the remaining ones. */
static void
add_warnings(GString *out, const limen_decision *decision)
{
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);
	size_t total = 0;
	char rest[64];

	if (count == 0)
		return;
	json_write(out, "warnings:[");
	for (size_t i = 0; i < count; i++) {
		size_t length;
		char *line = clean_warning(warnings[i], &length);

		total += length;
		if (total > WARNINGS_MAX - sizeof(rest)) {
			g_snprintf(rest, sizeof(rest), "there are %zu more warnings", count - i);
			json_string(out, rest);
			g_free(line);
			break;
		}
		json_string(out, line);
		g_free(line);
	}
	g_string_append_c(out, ']');
}

void
review_answer_write(GString *out, const limen_decision *decision, const limen_request *req,
                    const char *api, const char *message)
{
	const char *uid = limen_request_field(req, LIMEN_FIELD_UID);
	bool allowed = limen_decision_admitted(decision);

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
		add_status(out, decision, message);
	add_annotations(out, decision);
	if (message == NULL)
		add_warnings(out, decision);
	g_string_append(out, "}}\n");
}
