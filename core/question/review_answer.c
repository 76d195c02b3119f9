/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_answer.c - writes the AdmissionReview response of a decision: the status with the
 * violation messages, or the patch in base64, then audit annotations and warnings.  Shortens
 * annotation keys and warnings to sizes that kube-apiserver keeps whole.
 */
#include "question.h"

#include <stdio.h>

#include "base/strbuf.h"
#include "base/text_map.h"
#include "base/utf8.h"

/* Characters of a warning that the API server keeps; longer ones may be cut or dropped. */
#define WARNING_MAX 120

/* Size of all warnings of a request that the API server keeps. */
#define WARNINGS_MAX 4096

/* Maximum length of a qualified name in Kubernetes. */
#define KEY_MAX 63

/* Room on the stack: most answers fit, and are allocated once, when complete. */
#define ROOM_SIZE 2048

/* ---- the verdict ---- */

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

/*
 * Adds the violation messages alone, because kube-apiserver adds a prefix.  Repeated messages
 * appear once; several are joined as "[A, B]".
 */
static void
add_messages(strbuf *out, const limen_decision *decision)
{
	arena memory = ARENA_INIT;
	strbuf joined = STRBUF_INIT;
	item_list messages;

	if (decision->violations.count == 0 || decision->code == 500) {
		json_add(out, "%s", decision->reason);
		return;
	}
	joined.failed = !text_list_unique(&decision->violations, MESSAGE_OFFSET, &memory,
	                                  &messages);
	strbuf_adds(&joined, messages.count > 1 ? "[" : "");
	for (const text_item *item = messages.first; item != NULL; item = item->next) {
		strbuf_adds(&joined, item == messages.first ? "" : ", ");
		strbuf_adds(&joined, item->text);
	}
	strbuf_adds(&joined, messages.count > 1 ? "]" : "");
	if (joined.failed)
		out->failed = true;
	else
		value_json_string(out, joined.text, joined.length);
	strbuf_free(&joined);
	arena_free(&memory);
}

static void
add_status(strbuf *out, const limen_decision *decision, bool brief)
{
	limen_value details = limen_decision_details(decision);
	limen_value wait = limen_value_get(details, "retryAfterSeconds");

	json_add(out, ",\"status\":{\"status\":\"Failure\",\"code\":%u,\"reason\":%s,\"message\":",
	         decision->code, name_code(decision->code));
	if (brief)
		json_add(out, "%s", limen_decision_summary(decision));
	else
		add_messages(out, decision);
	if (!brief && limen_value_exists(details))
		json_add(out, ",\"details\":%v", details);
	/* The wait is the one detail that clients act on. */
	if (brief && limen_value_exists(wait))
		json_add(out, ",\"details\":{\"retryAfterSeconds\":%v}", wait);
	strbuf_addc(out, '}');
}

/* Adds base64 (RFC 4648, section 4). */
static void
add_base64(strbuf *out, const char *text, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *in = (const unsigned char *)text;
	size_t size = (length + 2) / 3 * 4;
	char *to;

	strbuf_reserve(out, size);
	if (out->failed)
		return;
	to = out->text + out->length;
	for (; length >= 3; in += 3, length -= 3) {
		uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];

		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = digits[bits >> 6 & 63];
		*to++ = digits[bits & 63];
	}
	if (length > 0) {
		uint32_t bits = (uint32_t)in[0] << 16 | (length > 1 ? (uint32_t)in[1] << 8 : 0);

		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = length > 1 ? digits[bits >> 6 & 63] : '=';
		*to++ = '=';
	}
	*to = '\0';
	out->length += size;
}

/* Adds "patchType" and "patch"; an answer without changes must have neither. */
static void
add_patch(strbuf *out, const limen_decision *decision)
{
	limen_value patch = limen_decision_patch(decision);
	char room[ROOM_SIZE];
	strbuf text = strbuf_within(room, sizeof(room));

	if (limen_value_count(patch) == 0)
		return;
	value_json_write(&text, patch);
	strbuf_adds(out, ",\"patchType\":\"JSONPatch\",\"patch\":\"");
	if (text.failed)
		out->failed = true;
	else
		add_base64(out, text.text, text.length);
	strbuf_addc(out, '"');
	strbuf_free(&text);
}

/* ---- audit annotations ---- */

static bool
is_alphanumeric(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/*
 * Writes 'name' as an annotation key: letters, digits, "-", "_" and ".", with a letter or
 * digit at both ends.  kube-apiserver puts the name of the webhook and a slash before it.
 */
static void
clean_key(const char *name, char out[KEY_MAX + 1])
{
	size_t length = strnlen(name, KEY_MAX);
	size_t start = 0;

	while (start < length && !is_alphanumeric(name[start]))
		start++;
	while (length > start && !is_alphanumeric(name[length - 1]))
		length--;
	for (size_t i = start; i < length; i++)
		out[i - start] = is_alphanumeric(name[i]) || strchr("-_.", name[i]) != NULL
		                         ? name[i]
		                         : '-';
	out[length - start] = '\0';
	if (length == start)
		strcpy(out, "limen");
}

/* Numbers keys that would be equal: kube-apiserver would drop one of them. */
static const char *
make_key(const char *name, text_map *seen, arena *memory)
{
	char plain[KEY_MAX + 1];
	char *key = arena_alloc(memory, sizeof(plain));
	void **known;

	clean_key(name, plain);
	if (key != NULL)
		strcpy(key, plain);
	for (unsigned number = 2; key != NULL && text_map_get(seen, key, strlen(key)) != NULL;
	     number++) {
		char end[16];

		snprintf(end, sizeof(end), "-%u", number);
		snprintf(key, sizeof(plain), "%.*s%s", (int)(KEY_MAX - strlen(end)), plain, end);
	}
	known = key == NULL ? NULL : text_map_put(seen, memory, key, strlen(key));
	if (known == NULL)
		return NULL;
	*known = key;
	return key;
}

static void
add_annotations(strbuf *out, const limen_decision *decision)
{
	const annotation_item *item = decision->annotations.first;
	arena memory = ARENA_INIT;
	text_map seen = { .count = 0 };

	if (item == NULL)
		return;
	strbuf_adds(out, ",\"auditAnnotations\":{");
	for (; item != NULL; item = item->next) {
		const char *key = make_key(item->annotation.key, &seen, &memory);

		out->failed = out->failed || key == NULL;
		json_add(out, ",%s:%s", key, item->annotation.value);
	}
	strbuf_addc(out, '}');
	arena_free(&memory);
}

/* ---- warnings ---- */

/*
 * Writes 'text' as one line of at most 120 characters, and returns their number.  Control
 * characters are removed: they would make the HTTP header of the warning invalid.
 */
static size_t
clean_warning(const char *text, strbuf *out)
{
	size_t count = 0;
	size_t most;

	for (const char *c = text; *c != '\0'; c++)
		count += !utf8_is_continuation(*c);
	most = count > WARNING_MAX ? WARNING_MAX - strlen("...") : count;
	for (size_t i = 0; i < most; i++) {
		size_t size = utf8_control(text);
		bool control = size > 0;

		for (size += !control; utf8_is_continuation(text[size]);)
			size++;
		strbuf_add(out, control ? " " : text, control ? 1 : size);
		text += size;
	}
	strbuf_adds(out, count > most ? "..." : "");
	return count > most ? WARNING_MAX : count;
}

/* Adds the warnings that fit, and the number of the remaining ones. */
static void
add_warnings(strbuf *out, const limen_decision *decision)
{
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);
	size_t total = 0;
	char rest[64];

	if (count == 0)
		return;
	strbuf_adds(out, ",\"warnings\":[");
	for (size_t i = 0; i < count; i++) {
		char room[4 * WARNING_MAX + 4];
		strbuf line = strbuf_within(room, sizeof(room));

		total += clean_warning(warnings[i], &line);
		if (total > WARNINGS_MAX - sizeof(rest)) {
			snprintf(rest, sizeof(rest), "there are %zu more warnings", count - i);
			json_add(out, ",%s", rest);
			break;
		}
		json_add(out, ",%s", line.text);
	}
	strbuf_addc(out, ']');
}

/* ---- the whole ---- */

char *
review_answer(const limen_request *req, const limen_decision *decision, bool brief, size_t *length)
{
	const char *uid = limen_request_field(req, LIMEN_FIELD_UID);
	char room[ROOM_SIZE];
	strbuf out = strbuf_within(room, sizeof(room));

	strbuf_adds(&out, "{\"apiVersion\":\"");
	strbuf_adds(&out, req->review);
	json_add(&out, "\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":%s,\"allowed\":%b",
	         uid == NULL ? "" : uid, decision->admitted);
	if (decision->admitted)
		add_patch(&out, decision);
	else
		add_status(&out, decision, brief);
	/* Annotations go to the log of the API server, not to the client. */
	add_annotations(&out, decision);
	if (!brief)
		add_warnings(&out, decision);
	strbuf_adds(&out, "}}");
	return strbuf_steal(&out, length);
}
