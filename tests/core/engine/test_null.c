/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_null.c - calls every exported function with NULL for each of its pointers in turn, in
 * a child process, which must not crash.
 */
#include "suite.h"

#include <limen/json.h>
#include <limen/limen.h>
#include <limen/module.h>
#include <limen/nearest.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../decision/reply_case.h"
#include "host/host.h"
#include "module/open_context.h"
#include "policy_case.h"

/* Functions without a line below: a va_list is no pointer that could be NULL. */
static const char *const exceptions[] = { "limen_diag_addv", NULL };

/* What the child is about; the parent reads it when it has crashed. */
typedef struct board {
	unsigned begun; /* functions, with the current one */
	unsigned crashed; /* functions up to this one are not called any more */
	char function[64];
	unsigned position; /* of the NULL among the pointers, from 1 */
	char names[16384]; /* of all functions, one a line */
} board;

static board *shown;
static unsigned seen; /* pointers of this call so far */

static bool
is_turn(void)
{
	return ++seen == shown->position;
}

/* A pointer in a call: it is NULL in one of the calls. */
#define P(pointer) (is_turn() ? NULL : (pointer))

/* Begins the calls of 'function'; returns how many there are, one for each P(). */
static unsigned
begin(const char *function, const char *arguments)
{
	unsigned count = 0;

	snprintf(shown->function, sizeof(shown->function), "%s", function);
	shown->position = 0;
	strcat(strcat(shown->names, function), "\n");
	if (++shown->begun <= shown->crashed)
		return 0;
	for (const char *next = strstr(arguments, "P("); next != NULL; next = strstr(next + 1, "P("))
		count++;
	return count;
}

static void
next(void)
{
	shown->position++;
	seen = 0;
}

/* Calls 'function' once for each P() among its arguments, in a scratch copy of the fixture. */
#define TRY(function, ...)                                                           \
	for (unsigned left = begin(#function, #__VA_ARGS__); left > 0; left--) {     \
		next();                                                              \
		(void)function(__VA_ARGS__);                                         \
	}

/* ---- objects to call functions with ---- */

static limen_engine *engine;
static reply_case asked;
static limen_diag *diag;
static limen_value root; /* an object */
static char room[256];
static size_t size;
static const char *why;
static int key;

static void
ignore(void *data)
{
	(void)data;
}

static void
ignore_template(void *data, const limen_template *found)
{
	(void)data;
	(void)found;
}

static void
ignore_count(void *data, const limen_counted *count)
{
	(void)data;
	(void)count;
}

static void
ignore_bucket(void *data, const limen_bucket *bucket)
{
	(void)data;
	(void)bucket;
}

static const limen_bucket a_bucket = {
	.size = sizeof(a_bucket), .store = "default", .table = "limits/none/rate", .key = "",
	.keys = "", .kind = LIMEN_METER_CALENDAR, .unit = LIMEN_UNIT_DAY,
};

static bool
choose_none(void *data, const limen_bucket *bucket)
{
	(void)data;
	(void)bucket;
	return false;
}

static void
ignore_module(void *data, const limen_module_info *info)
{
	(void)data;
	(void)info;
}

static instance *
limit(void)
{
	return engine->current->limits.items[0].instance;
}

static void
set_up(void)
{
	engine = policy_case_engine(LIMEN_ENGINE_PASSIVE);
	policy_case_load(engine, "{\"schema\": 4, " EVERYBODY ", \"limits\": [{\"name\": \"l\","
	                         " \"type\": \"rate\", \"data\": {\"rate\": \"1/s\"}}],"
	                         " \"applications\": []}");
	diag = limen_diag_new();
	reply_case_start(&asked, "{\"a\": [1], \"o\": {\"s\": \"text\"}}");
	asked.reply.wants_bounds = asked.reply.wants_origins = true;
	root = limen_request_document(&asked.request);
}

/* ---- the functions, a header each ---- */

static void
try_values(void)
{
	limen_iter iter = limen_iter_start(root);
	limen_key keys[] = { LIMEN_KEY("a") };
	limen_value found[1], member;
	limen_value text = limen_value_get(limen_value_get(root, "o"), "s");
	limen_path *path;
	double real;
	int64_t number;
	bool flag;

	TRY(limen_value_none);
	TRY(limen_value_type, root);
	TRY(limen_value_exists, root);
	TRY(limen_value_bool, root, P(&flag));
	TRY(limen_value_int, limen_value_at(limen_value_get(root, "a"), 0), P(&number));
	TRY(limen_value_real, limen_value_at(limen_value_get(root, "a"), 0), P(&real));
	TRY(limen_value_string, text, P(&size));
	TRY(limen_value_is, text, P("text"));
	TRY(limen_value_number, limen_value_at(limen_value_get(root, "a"), 0), P(&size));
	TRY(limen_value_count, root);
	TRY(limen_value_get, root, P("a"));
	TRY(limen_value_member, root, P("a"), 1);
	TRY(limen_value_pick, root, P(keys), 1, P(found));
	TRY(limen_value_at, root, 0);
	TRY(limen_iter_start, root);
	TRY(limen_iter_next, P(&iter), P(&member), P(&member));
	TRY(limen_value_equal, root, text);
	TRY(limen_value_to_json, root, 0, P(&size));
	TRY(limen_value_pointer, text);
	TRY(limen_value_field_path, text);
	TRY(limen_value_keep, text);
	TRY(limen_value_free, limen_value_none());
	TRY(limen_path_new, P("/a"), 2, P(&path));
	CU_ASSERT_EQUAL(limen_path_new("/a", 2, &path), LIMEN_OK);
	TRY(limen_value_find, root, P(path));
	TRY(limen_path_text, P(path));
	TRY(limen_path_free, P(path));
	TRY(limen_value_json, root);
}

static void
try_builders(void)
{
	limen_builder *build = limen_builder_new();

	TRY(limen_builder_new);
	TRY(limen_builder_array, P(build), P("k"));
	TRY(limen_builder_object, P(build), P("k"));
	TRY(limen_builder_string, P(build), P("k"), P("text"), 4);
	TRY(limen_builder_text, P(build), P("k"), P("text"));
	TRY(limen_builder_int, P(build), P("k"), 1);
	TRY(limen_builder_real, P(build), P("k"), 1);
	TRY(limen_builder_bool, P(build), P("k"), true);
	TRY(limen_builder_null, P(build), P("k"));
	TRY(limen_builder_value, P(build), P("k"), root);
	TRY(limen_builder_end, P(build));
	TRY(limen_builder_finish, P(build));
	TRY(limen_builder_free, P(build));
}

static void
try_diagnostics(void)
{
	limen_documents *documents = NULL;

	TRY(limen_diag_new);
	TRY(limen_diag_add, P(diag), LIMEN_SEVERITY_NOTE, root, "%s", "text");
	TRY(limen_diag_refuse, P(diag), root, "%s", "text");
	TRY(limen_diag_add_at, P(diag), LIMEN_SEVERITY_NOTE, P("file"), 1, "%s", "text");
	TRY(limen_diag_hint, P(diag), "%s", "text");
	TRY(limen_diag_count, P(diag), LIMEN_SEVERITY_NOTE);
	TRY(limen_diag_get, P(diag), 0);
	TRY(limen_diag_write, P(diag), P(stderr));
	TRY(limen_diag_free, P(diag));
	TRY(limen_documents_parse, P("name"), P("{}"), 2, 0, P(&documents), P(diag));
	CU_ASSERT_EQUAL(limen_documents_parse(NULL, "{}", 2, 0, &documents, NULL), LIMEN_OK);
	TRY(limen_documents_count, P(documents));
	TRY(limen_documents_get, P(documents), 0);
	TRY(limen_documents_free, P(documents));
}

static void
try_networks(void)
{
	limen_address address;
	limen_network network, other;
	limen_cidr_set *set;

	TRY(limen_address_parse, P("192.0.2.1"), 9, P(&address));
	TRY(limen_network_parse, P("192.0.2.0/24"), 12, 0, P(&network));
	CU_ASSERT_EQUAL(limen_address_parse("192.0.2.1", 9, &address), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_network_parse("192.0.2.0/24", 12, 0, &network), LIMEN_OK);
	other = network;
	TRY(limen_network_print, P(&network), P(room));
	TRY(limen_network_overlaps, P(&network), P(&other));
	TRY(limen_cidr_set_new, P(&network), 1, P(&other), 1);
	set = limen_cidr_set_new(&network, 1, NULL, 0);
	TRY(limen_cidr_set_contains, P(set), P(&address));
	TRY(limen_cidr_set_overlaps, P(set), P(&network));
	TRY(limen_cidr_set_covers, P(set), P(&network));
	TRY(limen_cidr_set_is_empty, P(set));
	TRY(limen_cidr_set_free, P(set));
}

static void
try_times(void)
{
	limen_timestamp timestamp;
	limen_calendar calendar;
	limen_duration duration;

	TRY(limen_duration_parse, P("PT1S"), 4, 0, P(&duration), P(&why));
	TRY(limen_duration_parse, P("PT1"), 3, 0, P(&duration), P(&why));
	TRY(limen_duration_print, 1, P(room));
	TRY(limen_timestamp_parse, P("2020-01-01T00:00:00Z"), 20, 0, P(&timestamp), P(&why));
	TRY(limen_timestamp_parse, P("2020"), 4, 0, P(&timestamp), P(&why));
	TRY(limen_timestamp_local, 0, P(&timestamp));
	TRY(limen_timestamp_add, P(&timestamp), 1, P(&timestamp));
	TRY(limen_timestamp_print, P(&timestamp), P(room));
	TRY(limen_calendar_get, P(&timestamp), P(&calendar));
	TRY(limen_host_monotonic);
	TRY(limen_host_wall_time);
}

static void
try_numbers(void)
{
	limen_quantity a = limen_quantity_from_int(10, LIMEN_QUANTITY_DECIMAL_SI);
	limen_quantity b = limen_quantity_from_int(3, LIMEN_QUANTITY_DECIMAL_SI);
	limen_si one = limen_si_from_int(1);
	limen_quantity made;
	int order;

	TRY(limen_quantity_from_int, 1, LIMEN_QUANTITY_DECIMAL_SI);
	TRY(limen_quantity_parse, P("1k"), 2, 0, P(&made), P(&why));
	TRY(limen_quantity_parse, P("k"), 1, 0, P(&made), P(&why));
	TRY(limen_quantity_from_value, limen_value_at(limen_value_get(root, "a"), 0), 0, P(&made), P(&why));
	TRY(limen_quantity_copy, P(&a), P(&made));
	TRY(limen_quantity_get_family, P(&a));
	TRY(limen_quantity_sign, P(&a));
	TRY(limen_quantity_size, P(&a));
	TRY(limen_quantity_is_integer, P(&a));
	TRY(limen_quantity_add, P(&a), P(&b));
	TRY(limen_quantity_subtract, P(&a), P(&b));
	TRY(limen_quantity_compare, P(&a), P(&b));
	TRY(limen_quantity_compare_product, P(&a), P(&b), P(&b), P(&order));
	TRY(limen_quantity_print, P(&a), P(room), sizeof(room));
	TRY(limen_quantity_to_text, P(&a));
	TRY(limen_quantity_print_ratio, P(&a), P(&b), P(room));
	TRY(limen_quantity_round_up, P(&a), 3);
	TRY(limen_quantity_scaled, P(&a), 0);
	TRY(limen_quantity_clear, P(&a));
	TRY(limen_si_from_int, 1);
	TRY(limen_si_parse, P("1k"), 2, P(&one));
	TRY(limen_si_compare, P(&one), P(&one));
	TRY(limen_si_real, P(&one));
}

static void
try_patterns(void)
{
	static const char *const words[] = { "word", NULL };
	limen_nearest nearest = limen_nearest_to("word");
	limen_string_match *pattern = NULL;
	limen_selector *selector = NULL;
	limen_value none = limen_value_none();

	TRY(limen_nearest_to, P("word"));
	TRY(limen_nearest_offer, P(&nearest), P("ward"));
	TRY(limen_nearest_of, P("word"), P(words));
	TRY(limen_glob_match, P("a*"), P("ab"), 2);
	TRY(limen_string_match_new, LIMEN_MATCH_REGEX, P("a"), 1, 0, P(&pattern), P(room));
	TRY(limen_string_match_new, LIMEN_MATCH_REGEX, P("("), 1, 0, P(&pattern), P(room));
	limen_string_match_new(LIMEN_MATCH_REGEX, "a", 1, 0, &pattern, NULL);
	TRY(limen_string_match_test, P(pattern), P("a"), 1);
	TRY(limen_string_match_note, P(pattern));
	TRY(limen_string_match_free, P(pattern));
	TRY(limen_selector_new, none, none, P(&selector), P(diag));
	CU_ASSERT_EQUAL(limen_selector_new(none, none, &selector, NULL), LIMEN_OK);
	TRY(limen_selector_match, P(selector), root, P("namespace"), P("name"));
	TRY(limen_selector_free, P(selector));
	TRY(limen_object_controller, root);
}

static void
try_building_requests(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_hint hint = { .name = "n", .text = "t" };

	TRY(limen_request_new, LIMEN_SUBJECT_TASK);
	TRY(limen_request_parse, P(req), P("{}"), 2, P(diag));
	TRY(limen_request_parse_old, P(req), P("{}"), 2, P(diag));
	TRY(limen_request_set_document, P(req), root);
	TRY(limen_request_set_task, P(req), root);
	TRY(limen_request_set_old, P(req), root);
	TRY(limen_request_set_run, P(req), P("2020-01-01T00:00:00Z"), P("PT1S"));
	TRY(limen_request_set_field, P(req), LIMEN_FIELD_NAME, P("name"));
	TRY(limen_request_add_group, P(req), P("group"));
	TRY(limen_request_set_hint, P(req), P("name"), P("value"));
	TRY(limen_request_set_hint_list, P(req), P(&hint), 1);
	TRY(limen_request_set_hints, P(req), root);
	TRY(limen_request_set_id, P(req), root);
	TRY(limen_request_describe, P(req), P("v1"), P("Pod"), P("default"), P(diag));
	TRY(limen_request_claim, P(req), root, root, root, P(diag));
	TRY(limen_request_id, P(req));
	TRY(limen_request_review_version, P(req));
	TRY(limen_request_set_now, P(req), 0);
	TRY(limen_request_set_timeout, P(req), 0);
	TRY(limen_request_set_dry_run, P(req), true);
	TRY(limen_request_set_manifest, P(req), true);
	TRY(limen_request_free, P(req));
}

static void
try_requests(void)
{
	const limen_request *req = &asked.request;
	limen_network network;
	limen_path *path;
	limen_run run;

	CU_ASSERT_EQUAL(limen_path_new("/a", 2, &path), LIMEN_OK);
	TRY(limen_request_subject, P(req));
	TRY(limen_request_now, P(req));
	TRY(limen_request_deadline, P(req));
	TRY(limen_request_time_left, P(req));
	TRY(limen_request_is_dry_run, P(req));
	TRY(limen_request_is_manifest, P(req));
	TRY(limen_request_field, P(req), LIMEN_FIELD_NAME);
	TRY(limen_request_groups, P(req), P(&size));
	TRY(limen_request_identifiers, P(req), P(&size));
	TRY(limen_request_classifiers, P(req), P(&size));
	TRY(limen_request_asking_classifier, P(req));
	TRY(limen_request_has_classifier, P(req), P("c"));
	TRY(limen_request_original, P(req));
	TRY(limen_request_document, P(req));
	TRY(limen_request_old, P(req));
	TRY(limen_request_generation, P(req));
	TRY(limen_request_find, P(req), P(path));
	TRY(limen_request_hints, P(req));
	TRY(limen_request_is_run, P(req));
	TRY(limen_request_run, P(req), P(&run), P(&why));
	TRY(limen_request_requester, P(req), P(&network));
	TRY(limen_request_attach, P(req), P(&key), P(room), P(ignore));
	TRY(limen_request_attachment, P(req), P(&key));
	TRY(limen_request_alloc, P(req), 1);
	TRY(limen_request_json, P(req));
	limen_path_free(path);
}

static void
try_replies(void)
{
	limen_take take = { .table = limit()->tables, .amount = 1 };
	limen_reply *reply = &asked.reply;

	TRY(limen_reply_reason, P(reply), "%s", "text");
	TRY(limen_reply_violation, P(reply), LIMEN_CLASS_INVALID, P("field"), "%s", "text");
	TRY(limen_reply_detail, P(reply), "%s", "text");
	TRY(limen_reply_route, P(reply), P("GET /"));
	TRY(limen_reply_retry_after, P(reply), 1);
	TRY(limen_reply_wants_bounds, P(reply));
	TRY(limen_reply_bound, P(reply), P("field"), P("1"), LIMEN_RELATION_AT_LEAST, P("2"));
	TRY(limen_reply_note, P(reply), "%s", "text");
	TRY(limen_reply_warning, P(reply), "%s", "text");
	TRY(limen_reply_audit, P(reply), P("key"), "%s", "text");
	TRY(limen_reply_priority, P(reply), 1);
	TRY(limen_reply_take, P(reply), P(&take), 1, LIMEN_TAKE_PEEK);
	take.table = NULL;
	TRY(limen_reply_take, P(reply), P(&take), 1, LIMEN_TAKE_PEEK);
}

static void
try_changes(void)
{
	limen_reply *reply = &asked.reply;
	limen_value list = limen_value_get(root, "a");

	TRY(limen_reply_set, P(reply), root, P("k"), P("1"));
	TRY(limen_reply_set_value, P(reply), root, P("k"), root);
	TRY(limen_reply_set_string, P(reply), root, P("k"), P("text"), 4);
	TRY(limen_reply_set_int, P(reply), root, P("k"), 1);
	TRY(limen_reply_set_bool, P(reply), root, P("k"), true);
	TRY(limen_reply_set_at, P(reply), P("/k"), root);
	TRY(limen_reply_set_string_at, P(reply), P("/k"), P("text"), 4);
	TRY(limen_reply_insert, P(reply), list, 0, P("1"));
	TRY(limen_reply_remove, P(reply), list);
	TRY(limen_reply_wants_origins, P(reply));
	TRY(limen_reply_origin, P(reply), P("/k"), "%s", "text");
	TRY(limen_reply_replace, P(reply), P("{}"), 2);
	TRY(limen_reply_attach, P(reply), P(&key), P(room), P(ignore));
	TRY(limen_reply_changed, P(reply), P("text"));
}

static void
try_decisions(void)
{
	limen_decision *decision = policy_case_decide(engine, 0, false);
	limen_duration wait;
	double priority;

	TRY(limen_decision_admitted, P(decision));
	TRY(limen_decision_code, P(decision));
	TRY(limen_decision_reason, P(decision));
	TRY(limen_decision_entry, P(decision));
	TRY(limen_decision_violation, P(decision), 0);
	TRY(limen_decision_diagnostics, P(decision));
	TRY(limen_decision_identifiers, P(decision), P(&size));
	TRY(limen_decision_classifiers, P(decision), P(&size));
	TRY(limen_decision_priority, P(decision), P(&priority));
	TRY(limen_decision_rewritten, P(decision));
	TRY(limen_decision_patch, P(decision));
	TRY(limen_decision_details, P(decision));
	TRY(limen_decision_warnings, P(decision), P(&size));
	TRY(limen_decision_retry_after, P(decision), P(&wait));
	TRY(limen_decision_annotation, P(decision), 0);
	TRY(limen_decision_observed, P(decision), 0);
	TRY(limen_decision_origin, P(decision), 0);
	TRY(limen_decision_trace, P(decision), 0);
	TRY(limen_decision_step, P(decision), 0);
	TRY(limen_decision_change, P(decision), 0);
	TRY(limen_decision_unexplained, P(decision));
	TRY(limen_decision_quota, P(decision), 0);
	TRY(limen_decision_hides_header, P(decision), P("x-user"));
	TRY(limen_request_route, P(&asked.request));
	TRY(limen_decision_summary, P(decision));
	TRY(limen_decision_to_json, P(decision), 0, P(&size));
	TRY(limen_decision_to_json, P(decision), LIMEN_JSON_BRIEF, P(&size));
	TRY(limen_request_answer, P(&asked.request), P(decision), 0, P(&size));
	TRY(limen_decision_free, P(decision));
}

static void
try_engines(void)
{
	static const char *const paths[] = { "/nowhere" };
	static const char review[] =
		"{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
		"\"request\":{\"uid\":\"u\",\"operation\":\"DELETE\"}}";
	limen_question_options asking = { .size = sizeof(asking) };
	limen_http_parts parts = { .size = sizeof(parts), .method = "GET", .uri = "/" };
	limen_request *read = NULL;
	char *answer = NULL;
	limen_engine_options options = { .size = sizeof(options) };
	limen_decide_options how = { .size = sizeof(how) };
	limen_module_info info = { .options = NULL };
	limen_option option = { .type = LIMEN_OPTION_NONE };
	static const limen_limit_module older = { .abi_major = 0 };
	unsigned major, minor;
	limen_pending *pending = NULL;
	limen_waker *waker = NULL;
	limen_decision *decision;

	TRY(limen_engine_new, P(&options));
	TRY(limen_engine_add_module, P(engine), P(&older), P(diag));
	TRY(limen_engine_load, P(engine), P("/nowhere"), P(diag));
	TRY(limen_engine_load_files, P(engine), P(paths), 1, P(diag));
	TRY(limen_engine_load_text, P(engine), P("name"), P("{}"), 2, P(diag));
	TRY(limen_engine_reload, P(engine), P(diag));
	TRY(limen_engine_wait_ready, P(engine), 0);
	TRY(limen_engine_may_block, P(engine));
	TRY(limen_engine_begin_may_block, P(engine));
	TRY(limen_engine_decide, P(engine), P(&asked.request), P(&how), P(&decision));
	TRY(limen_engine_begin, P(engine), P(&asked.request), P(&how), P(ignore), P(room),
	    P(&pending), P(&decision));
	TRY(limen_pending_activity, P(pending));
	TRY(limen_pending_decide, P(pending), P(&decision));
	TRY(limen_request_waker, P(&asked.request));
	TRY(limen_request_patience, P(&asked.request), 1);
	TRY(limen_waker_wake, P(waker));
	TRY(limen_review_is, root);
	TRY(limen_question_read, root, P(&asking), P(&how), P(&read), P(diag));
	TRY(limen_http_read, root, P(&asking), P(&read), P(diag));
	TRY(limen_http_fill, P(&asked.request), root, P(&asking), P(diag));
	TRY(limen_http_fill_parts, P(&asked.request), P(&parts), P(&asking));
	TRY(limen_review_read, root, P(&asking), P(&read), P(diag));
	TRY(limen_engine_answer_question, P(engine), P("{\"task\":{}}"), 11, P(&asking), P(&answer),
	    P(&size), P(diag));
	TRY(limen_engine_answer_review, P(engine), P(review), sizeof(review) - 1, LIMEN_PHASE_BOTH,
	    P(&asking), P(&answer), P(&size), P(diag));
	TRY(limen_engine_each_template, P(engine), P("apps"), P("Deployment"), limen_value_none(),
	    P(ignore_template), P(room), P(diag));
	TRY(limen_engine_count_quotas, P(engine));
	TRY(limen_engine_each_counter, P(engine), P(ignore_count), P(room));
	TRY(limen_engine_each_quota, P(engine), P(choose_none), P(room));
	TRY(limen_engine_restore_bucket, P(engine), P(&a_bucket));
	TRY(limen_engine_reset_buckets, P(engine), P("default"), 0, P(choose_none), P(room), P(diag));
	TRY(limen_engine_each_bucket, P(engine), P("default"), 1, 0, P(ignore_bucket), P(room), P(diag));
	TRY(limen_activity_here);
	TRY(limen_activity_text, P(limen_activity_here()));
	TRY(limen_engine_each_module, P(engine), P(ignore_module), P(room), P(diag));
	TRY(limen_engine_find_module, P(engine), LIMEN_KIND_LIMIT, P("rate"), P(ignore_module), P(room),
	    P(diag));
	TRY(limen_module_option, P(&info), 0);
	TRY(limen_module_suboption, P(&option), 0);
	TRY(limen_policy_option, P("limits"), 0);
	TRY(limen_engine_describe, P(engine), 0, P(&size));
	TRY(limen_engine_free, P(engine));
	TRY(limen_result_text, LIMEN_OK);
	TRY(limen_kind_name, LIMEN_KIND_LIMIT);
	TRY(limen_version, P(&major), P(&minor));
}

static void
try_hosts(void)
{
	limen_host *host = limit()->host;

	TRY(limen_host_after, P(host), 0, P(ignore), P(room));
	TRY(limen_host_after_blocking, P(host), 0, P(ignore), P(room));
	TRY(limen_host_run, P(host), P(ignore), P(room));
	TRY(limen_host_is_passive, P(host));
	TRY(limen_host_stopping, P(host));
	TRY(limen_host_stopping_fd, P(host));
	TRY(limen_host_set_ready, P(host), true);
	TRY(limen_host_watch_fd, P(host), dup(0), P(ignore), P(room));
	TRY(limen_host_watch_path, P(host), P("/"), P(ignore), P(room));
	TRY(limen_host_cache_path, P(host), P("name"), P(room), sizeof(room));
	TRY(limen_host_log, P(host), LIMEN_LOG_DEBUG, "%s", "text");
	TRY(limen_host_counter, P(host), P("counter"));
	TRY(limen_counter_add, P(limen_host_counter(host, "counter")), 1);
	TRY(limen_host_counter_add, P(host), P("counter"), 1);
}

static bool
find_classifier(void *data, const char *name, limen_value where)
{
	(void)data;
	(void)name;
	(void)where;
	return true;
}

static void
try_openings(void)
{
	static const conf files;
	const instance_context context = { .find_classifier = find_classifier };
	limen_opening opening = { .instance = limit(), .context = &context, .files = &files };
	limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1, .period = 1,
		                  .burst = 1 };
	const limen_documents *documents;
	limen_store *store = limit()->uses->store;
	limen_table *table;
	const char *text;
	limen_value value;

	TRY(limen_opening_name, P(&opening));
	TRY(limen_opening_data, P(&opening));
	TRY(limen_opening_option, P(&opening), P("key"));
	TRY(limen_opening_use_http, P(&opening), LIMEN_HTTP_ALL, P("x-user"));
	TRY(limen_opening_use_classifier, P(&opening), P("all"), root, P(diag));
	TRY(limen_opening_setting, P(&opening), P("key"), P(&value));
	TRY(limen_opening_is_foreign, P(&opening));
	TRY(limen_opening_host, P(&opening));
	TRY(limen_opening_predecessor, P(&opening));
	TRY(limen_opening_add_flags, P(&opening), 0);
	TRY(limen_opening_path, P(&opening), P("path"));
	TRY(limen_opening_file, P(&opening), P("/dev/null"), root, P(&text), P(&size), P(diag));
	TRY(limen_opening_documents, P(&opening), P("/dev/null"), root, P(&documents), P(diag));
	TRY(limen_opening_table, P(&opening), P(store), P(&spec), P(&table), P(diag));
}

/* Engines come last, as their policies are replaced. */
static void (*const headers[])(void) = {
	try_values,  try_builders, try_diagnostics, try_networks, try_times,    try_numbers,
	try_patterns, try_building_requests, try_requests, try_replies, try_changes, try_decisions,
	try_hosts,   try_openings, try_engines,
};

static void
try_all(void)
{
	shown->begun = 0;
	shown->names[0] = '\0';
	alarm(120);
	set_up();
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		headers[i]();
	/* What calls have made is not freed. */
	_exit(0);
}

/* After a crash another child goes on behind the function. */
static void
test_calls(void)
{
	int status = -1;

	shown = mmap(NULL, sizeof(*shown), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CU_ASSERT_PTR_NOT_EQUAL_FATAL(shown, MAP_FAILED);
	while (status != 0) {
		pid_t child = fork();

		CU_ASSERT_FATAL(child >= 0);
		if (child == 0)
			try_all();
		CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
		CU_ASSERT_EQUAL(status, 0);
		if (status == 0)
			break;
		printf("# %s() crashes if its pointer %u is NULL\n", shown->function, shown->position);
		CU_ASSERT_NOT_EQUAL_FATAL(shown->crashed, shown->begun);
		shown->crashed = shown->begun;
	}
}

static bool
is_exception(const char *name)
{
	for (size_t i = 0; exceptions[i] != NULL; i++) {
		if (strcmp(exceptions[i], name) == 0)
			return true;
	}
	return false;
}

static bool
is_called(const char *line)
{
	size_t length = strlen(line);

	for (const char *name = shown->names; name != NULL; name = strchr(name, '\n')) {
		name += *name == '\n';
		if (strncmp(name, line, length) == 0)
			return true;
	}
	return false;
}

/* The list of exported functions is that of the test of the ABI. */
static void
test_complete(void)
{
	const char *directory = getenv("LIMEN_SRCDIR");
	char line[100];
	FILE *list;

	snprintf(room, sizeof(room), "%s/tests/abi/exports", directory == NULL ? "." : directory);
	list = fopen(room, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	while (fgets(line, sizeof(line), list) != NULL) {
		bool called = is_called(line);

		line[strcspn(line, "\n")] = '\0';
		if (!called && !is_exception(line)) {
			printf("# %s() is never called\n", line);
			CU_FAIL("a function without a line");
		}
	}
	fclose(list);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "no exported function crashes on a NULL", test_calls },
		{ "every exported function is called", test_complete },
		{ NULL, NULL },
	};

	return suite_run("core/null", tests);
}
