/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jq.c - the rewriter that runs a jq script on the task (limits.rst, "Task
 * Rewriting"; pScheduler 5.2 for what becomes of its result).
 */
#include <limen/module.h>
#include <limen/version.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/private_data.h"

#define PRIVATE "__REWRITER_PRIVATE__"
#define REJECTED "Task rejected: "

/* change() has to find the private data where it is called. */
static const char prelude[] =
	PRIVATE_DATA_PRELUDE(PRIVATE)
	"def reject($m): error(\"" REJECTED "\" + ($m | tostring)); "
	"def change($m): "
	"if type != \"object\" or (has(\"" PRIVATE "\") | not) "
	"then error(\"change() works on the whole task only\") "
	"else setpath([\"" PRIVATE "\", \"changed\"]; true) "
	"| if $m == null then . "
	"else setpath([\"" PRIVATE "\", \"diags\"]; ." PRIVATE ".diags + [$m | tostring]) end "
	"end; ";

static int
open_rewriter(void *self, limen_opening *opening, limen_diag *diag)
{
	jq_instance *rewriter = self;
	const jq_setup setup = { .prelude = prelude,
		                 .needs_expression = true,
		                 .strangers = private_data_strangers };

	/* Text is no task; pScheduler's rewriter always fails with it. */
	rewriter->transform.output_raw = false;
	return jq_instance_open(rewriter, &setup, opening, diag);
}

/*
 * ---- comparing a task with what the script made of it ----
 *
 * jq keeps what is not assigned to, so most of both is the same object and known
 * to be equal at a glance.  Members of objects are changed one by one; an array
 * with any difference is replaced as a whole.
 */

typedef struct changes {
	limen_reply *reply;
	bool needs_document; /* something cannot be told as a change of a member */
	bool failed;
} changes;

static void compare_objects(changes *all, limen_value node, jv before, jv after);

/* Sets the member 'key' of 'object' to 'value', which is consumed. */
static void
set_member(changes *all, limen_value object, jv key, jv value)
{
	const char *name = jv_string_value(key);
	char *json;

	/* Changes take plain text for a key. */
	if (strlen(name) != (size_t)jv_string_length_bytes(jv_copy(key))) {
		all->needs_document = true;
		jv_free(value);
		return;
	}
	json = jq_to_json(value);
	if (json == NULL)
		all->failed = true;
	else
		limen_reply_set(all->reply, object, name, json);
	free(json);
}

/* The values of 'key', before at 'node' in 'object'; consumes both jv. */
static void
compare_members(changes *all, limen_value object, limen_value node, jv key, jv before, jv after)
{
	if (jv_get_kind(before) == JV_KIND_OBJECT && jv_get_kind(after) == JV_KIND_OBJECT &&
	    !jv_identical(jv_copy(before), jv_copy(after))) {
		compare_objects(all, node, before, after);
		return;
	}
	if (!jv_identical(jv_copy(before), jv_copy(after)) &&
	    !jv_equal(jv_copy(before), jv_copy(after)))
		set_member(all, object, key, jv_copy(after));
	jv_free(before);
	jv_free(after);
}

/* Returns how many members of 'object' are still there. */
static int
compare_kept(changes *all, limen_value object, jv before, jv after)
{
	limen_value name, member;
	int kept = 0;

	for (limen_iter iter = limen_iter_start(object); limen_iter_next(&iter, &name, &member);) {
		size_t length;
		const char *text = limen_value_string(name, &length);
		jv key = jv_string_sized(text, (int)length);
		jv now = jv_object_get(jv_copy(after), jv_copy(key));

		if (jv_is_valid(now)) {
			jv old = jv_object_get(jv_copy(before), jv_copy(key));

			compare_members(all, object, member, key, old, now);
			kept++;
		} else {
			jv_free(now);
			limen_reply_remove(all->reply, member);
		}
		jv_free(key);
	}
	return kept;
}

static void
add_members(changes *all, limen_value object, jv before, jv after)
{
	jv_object_foreach(after, key, value) {
		if (jv_object_has(jv_copy(before), jv_copy(key)))
			jv_free(value);
		else
			set_member(all, object, key, value);
		jv_free(key);
	}
}

/*
 * 'node' is the document's object, 'before' the same for jq; consumes both jv.  The document
 * is walked, as it would take as long to look a member of it up.
 */
static void
compare_objects(changes *all, limen_value node, jv before, jv after)
{
	if (compare_kept(all, node, before, after) < jv_object_length(jv_copy(after)))
		add_members(all, node, before, after);
	jv_free(before);
	jv_free(after);
}

/*
 * Puts into the reply what has to change for the task of 'req' to become 'after' (an object,
 * consumed).  What the script left alone stays as it was written, numbers included.  Returns
 * false if that cannot be done: memory is short, or 'after' holds what JSON has no words for.
 */
static bool
write_changes(const limen_request *req, jv after, limen_reply *reply)
{
	changes all = { .reply = reply };
	char *json = NULL;

	compare_objects(&all, limen_request_document(req), jq_document(req), jv_copy(after));
	if (!all.needs_document || all.failed) {
		jv_free(after);
		return !all.failed;
	}
	json = jq_to_json(after);
	if (json != NULL)
		limen_reply_replace(reply, json, strlen(json));
	free(json);
	return json != NULL;
}

/* ---- the result ---- */

/* The text of test.type of 'task' (borrowed), or an invalid value. */
static jv
type_of(jv task)
{
	jv test = jv_object_get(jv_copy(task), jv_string("test"));
	jv type;

	if (jv_get_kind(test) != JV_KIND_OBJECT) {
		jv_free(test);
		return jv_invalid();
	}
	type = jv_object_get(test, jv_string("type"));
	if (jv_get_kind(type) == JV_KIND_STRING)
		return type;
	jv_free(type);
	return jv_invalid();
}

/* Does 'task' (borrowed), which has a type, have a specification? */
static bool
has_spec(jv task)
{
	return jv_object_has(jv_object_get(jv_copy(task), jv_string("test")), jv_string("spec"));
}

static bool
is_same_type(jv before, jv after)
{
	jv old = type_of(before);
	jv new = type_of(after);
	bool same = jv_is_valid(old) && jv_is_valid(new) && jv_equal(jv_copy(old), jv_copy(new));

	jv_free(old);
	jv_free(new);
	return same;
}

/*
 * Names what the task itself lacked before the script ran; NULL: nothing.  pScheduler
 * has validated a task before it comes to the rewriter.
 */
static const char *
find_lack(jv before, jv result)
{
	jv type;

	if (jv_get_kind(before) != JV_KIND_OBJECT || jv_get_kind(result) != JV_KIND_OBJECT)
		return NULL;
	type = type_of(before);
	if (!jv_is_valid(type))
		return "test.type";
	jv_free(type);
	return is_same_type(before, result) && !has_spec(before) ? "test.spec" : NULL;
}

/* Returns Python's name of a type without keys, for its message. */
static const char *
keyless_type(jv result)
{
	switch (jv_get_kind(result)) {
	case JV_KIND_NULL:
		return "NoneType";
	case JV_KIND_TRUE:
	case JV_KIND_FALSE:
		return "bool";
	case JV_KIND_NUMBER:
		return trunc(jv_number_value(result)) == jv_number_value(result) ? "int" : "float";
	default:
		return NULL;
	}
}

static limen_verdict
refuse_result(jv before, jv result, limen_reply *reply)
{
	const char *type = keyless_type(result);
	const char *lack = find_lack(before, result);
	char *json;

	if (lack != NULL) {
		limen_reply_reason(reply, REJECTED "It has no '%s'", lack);
		return LIMEN_FAIL;
	}
	if (type != NULL) {
		limen_reply_reason(reply, "argument of type '%s' is not iterable", type);
		return LIMEN_ERROR;
	}
	json = jq_to_json(jv_copy(result));
	limen_reply_reason(reply, "Invalid rewriter result:\n%s",
	                   json == NULL ? "(not to be printed)" : json);
	free(json);
	return LIMEN_ERROR;
}

/* Python's truth of 'value', which is consumed. */
static bool
is_true(jv value)
{
	jv_kind kind = jv_get_kind(value);
	bool truth = kind == JV_KIND_TRUE;

	if (kind == JV_KIND_NUMBER)
		truth = jv_number_value(value) != 0.0;
	else if (kind == JV_KIND_STRING)
		truth = jv_string_length_bytes(jv_copy(value)) > 0;
	else if (kind == JV_KIND_ARRAY)
		truth = jv_array_length(jv_copy(value)) > 0;
	else if (kind == JV_KIND_OBJECT)
		truth = jv_object_length(jv_copy(value)) > 0;
	jv_free(value);
	return truth;
}

/* Reports what change() was told.  'data' is consumed. */
static limen_verdict
report_changes(jv data, limen_reply *reply)
{
	bool good = true;

	if (is_true(jv_object_get(jv_copy(data), jv_string("changed")))) {
		limen_reply_changed(reply, NULL);
		good = private_data_messages(data, reply, limen_reply_changed);
	}
	jv_free(data);
	if (good)
		return LIMEN_PASS;
	limen_reply_reason(reply, "The script altered " PRIVATE);
	return LIMEN_ERROR;
}

/* 'result' is consumed. */
static limen_verdict
take_result(const limen_request *req, jv result, limen_reply *reply)
{
	jv before = jq_document(req);
	limen_verdict verdict = LIMEN_PASS;
	jv data;

	/* A task of the type it had, and with a specification. */
	if (jv_get_kind(result) != JV_KIND_OBJECT || !is_same_type(before, result) ||
	    !has_spec(result))
		verdict = refuse_result(before, result, reply);
	jv_free(before);
	if (verdict != LIMEN_PASS) {
		jv_free(result);
		return verdict;
	}
	data = private_data_take(&result, PRIVATE);
	if (!jv_is_valid(data)) {
		jv_free(result);
		limen_reply_reason(reply, "'" PRIVATE "'");
		return LIMEN_ERROR;
	}
	if (write_changes(req, result, reply))
		return report_changes(data, reply);
	jv_free(data);
	limen_reply_reason(reply, "The rewritten task cannot be written as JSON");
	return LIMEN_ERROR;
}

static limen_verdict
rewrite(const void *self, const limen_request *req, limen_reply *reply)
{
	const jq_instance *rewriter = self;
	jv task = private_data_add(jq_document(req), PRIVATE, req, "changed", jv_false());
	limen_verdict verdict;
	jq_result result;
	const char *why;

	jq_run(rewriter->script, task, limen_request_deadline(req), &result);
	if (result.outcome == JQ_VALUE)
		return take_result(req, result.value, reply);
	why = jq_result_error(&result);
	limen_reply_reason(reply, "%s", why);
	verdict = strncmp(why, REJECTED, strlen(REJECTED)) == 0 ? LIMEN_FAIL : LIMEN_ERROR;
	jq_result_clear(&result);
	return verdict;
}

LIMEN_REWRITER("jq",
	.version = LIMEN_VERSION,
	.summary = "Changes or rejects tasks by a jq script",
	.options = jq_instance_options,
	.instance_size = sizeof(jq_instance),
	.open = open_rewriter,
	.close = jq_instance_close,
	.rewrite = rewrite);
