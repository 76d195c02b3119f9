/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusal.c - builds the refusal of an admission entry: the HTTP code, the reason and the
 * "details" of a Status, in the words of kube-apiserver.
 */
#include "refusal.h"

#include <stdio.h>
#include <string.h>

/* The names of the refused object, for the message and "details". */
typedef struct target {
	const char *name;
	const char *group;
	const char *resource; /* plural; NULL: not known */
} target;

/* One message as it is, several as "[A, B]", as Kubernetes joins them. */
static const char *
join(const item_list *messages, arena *memory)
{
	const text_item *first = messages->first;
	size_t length = sizeof("[]");
	char *joined, *end;

	if (messages->count == 1)
		return first->text;
	for (const text_item *item = first; item != NULL; item = item->next)
		length += strlen(item->text) + strlen(", ");
	joined = arena_alloc(memory, length);
	if (joined == NULL)
		return NULL;
	end = stpcpy(joined, "[");
	for (const text_item *item = first; item != NULL; item = item->next) {
		if (item != first)
			end = stpcpy(end, ", ");
		end = stpcpy(end, item->text);
	}
	stpcpy(end, "]");
	return joined;
}

/* 422 if all violations are of class invalid; 429 only if none is forbidden. */
static int
find_code(const item_list *violations)
{
	size_t counts[] = {
		[LIMEN_CLASS_FORBIDDEN] = 0, [LIMEN_CLASS_TOO_MANY] = 0, [LIMEN_CLASS_INVALID] = 0
	};

	for (const violation_item *item = violations->first; item != NULL; item = item->next) {
		uint32_t number = item->violation.violation_class;
		bool known = number == LIMEN_CLASS_TOO_MANY || number == LIMEN_CLASS_INVALID;

		counts[known ? number : LIMEN_CLASS_FORBIDDEN]++;
	}
	if (counts[LIMEN_CLASS_INVALID] == violations->count)
		return 422;
	return counts[LIMEN_CLASS_FORBIDDEN] == 0 && counts[LIMEN_CLASS_TOO_MANY] > 0 ? 429 : 403;
}

static const char *
non_empty(const char *text)
{
	return text == NULL || text[0] == '\0' ? NULL : text;
}

static const char *
metadata_text(limen_value object, const char *key)
{
	limen_value metadata = limen_value_get(object, "metadata");

	return non_empty(limen_value_string(limen_value_get(metadata, key), NULL));
}

/* The order in which kube-apiserver looks for a name to show. */
static const char *
find_name(const limen_request *req)
{
	limen_value object = limen_request_document(req);
	const char *found[] = {
		non_empty(limen_request_field(req, LIMEN_FIELD_NAME)),
		metadata_text(object, "name"),
		non_empty(limen_request_field(req, LIMEN_FIELD_GENERATE_NAME)),
		metadata_text(object, "generateName"),
	};

	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		if (found[i] != NULL)
			return found[i];
	return "Unknown";
}

/* The text that kube-apiserver makes of a forbidden object. */
static const char *
forbidden_reason(arena *memory, const target *object, const char *text)
{
	if (object->resource == NULL)
		return arena_printf(memory, "forbidden: %s", text);
	return arena_printf(memory, "%s%s%s \"%s\" is forbidden: %s", object->resource,
	                    object->group == NULL ? "" : ".",
	                    object->group == NULL ? "" : object->group, object->name, text);
}

/* The words of Kubernetes for a code; a task has no such words. */
static const char *
find_reason(const pipeline *run, const target *object, int code, const char *text)
{
	if (!run->request.subject->is_resource)
		return text;
	switch (code) {
	case 403:
		return forbidden_reason(&run->decision->arena, object, text);
	case 429:
		return arena_printf(&run->decision->arena, "Too many requests: %s", text);
	default:
		return text;
	}
}

static void
add_text(builder *build, const char *key, const char *text)
{
	if (text == NULL)
		return;
	builder_constant(build, key);
	builder_text(build, text);
}

/* The message of a cause does not repeat its field (Kubernetes, field.Error.ErrorBody). */
static const char *
skip_field(const limen_violation *violation)
{
	size_t length = violation->field == NULL ? 0 : strlen(violation->field);

	if (length > 0 && strncmp(violation->message, violation->field, length) == 0 &&
	    strncmp(violation->message + length, ": ", 2) == 0)
		return violation->message + length + 2;
	return violation->message;
}

/* Clients look at no other member of a cause, so what explains it follows its message. */
static void
add_message(builder *build, const limen_violation *violation, arena *memory)
{
	const char *text = skip_field(violation);
	char *whole = NULL;

	if (violation->detail != NULL)
		whole = arena_alloc(memory, strlen(text) + strlen("; ") +
		                                    strlen(violation->detail) + 1);
	if (whole != NULL)
		stpcpy(stpcpy(stpcpy(whole, text), "; "), violation->detail);
	add_text(build, "message", whole == NULL ? text : whole);
}

/* The words of Kubernetes for a cause, as far as it has one. */
static const char *
cause_reason(uint32_t violation_class)
{
	switch (violation_class) {
	case LIMEN_CLASS_INVALID:
		return "FieldValueInvalid";
	case LIMEN_CLASS_TOO_MANY:
		return "TooManyRequests";
	default:
		return "FieldValueForbidden";
	}
}

/*
 * Adds "retryAfterSeconds", rounded up: an early retry would be refused again.  Event
 * recorders that see it resend events instead of dropping them, so it is added only on
 * request.
 */
static void
add_retry_after(builder *build, limen_duration wait)
{
	limen_duration seconds = wait / LIMEN_SECOND + (wait % LIMEN_SECOND > 0 ? 1 : 0);
	char text[16];

	if (seconds < 1)
		return;
	snprintf(text, sizeof(text), "%d", seconds > INT32_MAX ? INT32_MAX : (int)seconds);
	builder_constant(build, "retryAfterSeconds");
	builder_number(build, ORIGIN_NONE, 0, text, strlen(text));
}

/* "details" of a Status: "kind" is the resource there, and the core group is left out. */
static document *
build_details(const pipeline *run, const refusal *because, const target *object)
{
	const item_list *violations = because->violations;
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	if (run->request.subject->is_resource) {
		add_text(build, "name", object->name);
		add_text(build, "group", object->group);
		add_text(build, "kind", object->resource);
	}
	builder_constant(build, "causes");
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (const violation_item *item = violations->first; item != NULL; item = item->next) {
		builder_begin_object(build, ORIGIN_NONE, 0);
		builder_constant(build, "reason");
		builder_constant(build, cause_reason(item->violation.violation_class));
		add_message(build, &item->violation, &run->decision->arena);
		add_text(build, "field", item->violation.field);
		builder_end(build);
	}
	builder_end(build);
	if (because->rule->retry_after)
		add_retry_after(build, run->decision->retry_after);
	builder_end(build);
	return builder_finish(build);
}

bool
refusal_make(pipeline *run, const refusal *because)
{
	const item_list *violations = because->violations;
	const char *name = because->name;
	limen_decision *decision = run->decision;
	const limen_request *req = &run->request;
	const target object = {
		.name = find_name(req),
		.group = non_empty(limen_request_field(req, LIMEN_FIELD_RESOURCE_GROUP)),
		.resource = non_empty(limen_request_field(req, LIMEN_FIELD_RESOURCE)),
	};
	int code = find_code(violations);
	item_list messages;
	const char *reason = NULL;

	decision->violations = *violations;
	decision->details = build_details(run, because, &object);
	if (text_list_unique(violations, MESSAGE_OFFSET, &decision->arena, &messages))
		reason = join(&messages, &decision->arena);
	if (reason != NULL)
		reason = find_reason(run, &object, code, reason);
	if (reason == NULL || decision->details == NULL)
		return decision_no_memory(run->decision);
	decision_blame(decision, name);
	decision_line(decision, "", "Admission entry '%s' refuses: %s", name, reason);
	if (because->certain)
		decision_refuse(decision, code, "%s", reason);
	else
		decision_refuse(decision, 500, "%s (cannot tell whether '%s' applies)", reason,
		                name);
	return false;
}
