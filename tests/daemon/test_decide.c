/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_decide.c - POST /v1/decide: which questions there are, whose word counts,
 * what is answered.
 */
#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

#include "ask_kit.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

#define IDLE "{\"test\":{\"type\":\"idle\",\"spec\":{}}}"
#define FEW "{\"test\":{\"type\":\"few\",\"spec\":{}}}"
#define BAD "{\"test\":{\"type\":\"idle\",\"spec\":{\"bad\":true}}}"
#define EVENT "{\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"metadata\":{\"name\":\"e\"}}}"
#define POD(cpu) "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"},\"spec\":" \
	"{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"" cpu "\"}}}]}}"

struct row {
	const char *about; /* NULL ends a table */
	const char *body;
	int status;
	const char *pointer;
	const char *wanted;
};

static void
check_rows(const char *policy, const http_peer *peer, const struct row *rows)
{
	ask_kit kit;

	if (!ask_kit_start(&kit, policy))
		return;
	for (; rows->about != NULL; rows++)
		ask_check(&kit, rows->about, &(ask){ .body = rows->body, .peer = peer },
		          rows->status, rows->pointer, rows->wanted);
	ask_kit_stop(&kit);
}

static void
test_tasks(void)
{
	static const struct row rows[] = {
		{ "admitted", "{\"task\":" IDLE "}", 200, "/code", "200" },
		{ "refused", "{\"task\":" BAD "}", 200, "/code", "403" },
		{ "its reason", "{\"task\":" BAD "}", 200, "/admitted", "false" },
		{ "blanks", " \r\n\t{ \"task\" : " IDLE " } ", 200, "/admitted", "true" },
		{ "no account unless asked", "{\"task\":" IDLE "}", 200, "/diagnostics", "null" },
		{ "no trace unless asked", "{\"task\":" IDLE "}", 200, "/trace", "" },
		{ "a trace", "{\"task\":" IDLE ",\"explain\":true}", 200, "/trace/0/name",
		  "\"friend\"" },
		{ "rewritten", "{\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{\"stretch\":1}}}}",
		  200, "/rewritten/test/spec/duration", "\"PT5S\"" },
		{ "a priority", "{\"prioritize\":true,\"task\":" IDLE "}", 200, "/priority", "7" },
		{ "no priority", "{\"prioritize\":false,\"task\":" IDLE "}", 200, "/priority",
		  "0" },
		{ "a name", "{\"id\":{\"a\":[1]},\"task\":" IDLE "}", 200, "/id", "{\"a\":[1]}" },
		{ "no name", "{\"id\":null,\"task\":" IDLE "}", 200, "/id", "" },
		{ "null is as if it were not there",
		  "{\"object\":null,\"hints\":null,\"user\":null,\"task\":" IDLE "}", 200,
		  "/admitted", "true" },
		{ "comments of the question", "{\"#task\":1,\"#\":2,\"task\":" IDLE "}", 200,
		  "/admitted", "true" },
		{ "comments of the task", "{\"task\":{\"#x\":[{\"#\":1}],\"test\":{\"#\":1,"
		  "\"type\":\"idle\",\"spec\":{}}}}", 200, "/rewritten", IDLE },
		{ "comments with an escape", "{\"task\":{\"\\u0023x\":1,\"test\":{\"type\":\"idle\","
		  "\"spec\":{}}}}", 200, "/rewritten", IDLE },
		{ "an older name", "{\"request\":" IDLE "}", 200, "/code", "200" },
		{ "with its subject", "{\"request\":" BAD ",\"subject\":\"task\"}", 200, "/code",
		  "403" },
		{ "of an object", "{\"request\":" POD("2") ",\"subject\":\"object\"}", 200, "/code",
		  "403" },
		{ "of a good one", "{\"request\":" POD("1") ",\"subject\":\"object\"}", 200, "/code",
		  "200" },
		{ "the last of two members of a task",
		  "{\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{\"bad\":true,\"bad\":false}}}}", 200,
		  "/code", "200" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(ask_policy, &ask_friend, rows);
}

/* Without its rewriter, a policy admits what the rewriter would have bounded. */
static void
test_rewriting(void)
{
	static const struct row rows[] = {
		{ "not rewritten",
		  "{\"rewrite\":false,\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{\"stretch\":1}}}}",
		  200, "/rewritten", "null" },
		{ "a run has a priority", "{\"run\":true,\"task\":" IDLE "}", 200, "/priority", "7" },
		{ "and is not rewritten",
		  "{\"run\":true,\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{\"stretch\":1}}}}",
		  200, "/rewritten", "null" },
		{ "what is no run has none", "{\"run\":false,\"task\":" IDLE "}", 200, "/priority", "0" },
		{ "no boolean", "{\"task\":{},\"rewrite\":1}", 400, "/message",
		  "\"'rewrite' must be true or false\"" },
		{ NULL, NULL, 0, NULL, NULL },
	};
	static const struct row untrusted[] = {
		{ "a rewriter turned off", "{\"rewrite\":false,\"task\":{}}", 403, "/code", "403" },
		{ "or on", "{\"rewrite\":true,\"task\":{}}", 403, "/code", "403" },
		{ "a run", "{\"run\":true,\"task\":{}}", 403, "/message",
		  "\"'run' counts only from trusted clients: the unix socket, a client "
		  "certificate, an address of --trust-hints-from\"" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(ask_policy, &ask_server, rows);
	check_rows(ask_policy, &ask_friend, untrusted);
}

static void
test_dry_run(void)
{
	static const struct row rows[] = {
		{ "one try", "{\"dryRun\":true,\"task\":" FEW "}", 200, "/admitted", "true" },
		{ "another", "{\"dry_run\":true,\"task\":" FEW "}", 200, "/admitted", "true" },
		{ "in earnest", "{\"dryRun\":false,\"task\":" FEW "}", 200, "/admitted", "true" },
		{ "too many", "{\"task\":" FEW "}", 200, "/admitted", "false" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(ask_policy, &ask_friend, rows);
}

static void
test_bad_questions(void)
{
#define MESSAGE "/message"
	static const struct row rows[] = {
		{ "nothing", "{}", 400, MESSAGE, "\"There must be 'task', 'object' or 'http'\"" },
		{ "null", "{\"task\":null}", 400, MESSAGE, "\"There must be 'task', 'object' or 'http'\"" },
		{ "both", "{\"task\":{},\"object\":{}}", 400, MESSAGE,
		  "\"There must be 'task', 'object' or 'http', not several of them\"" },
		{ "a word for another", "{\"tsak\":{}}", 400, MESSAGE,
		  "\"Unknown member 'tsak'; did you mean 'task'?\"" },
		{ "another", "{\"task\":{},\"dryrun\":true}", 400, MESSAGE,
		  "\"Unknown member 'dryrun'; did you mean 'dryRun'?\"" },
		{ "a word for nothing", "{\"task\":{},\"zzzzzzzzz\":1}", 400, MESSAGE,
		  "\"Unknown member 'zzzzzzzzz'\"" },
		{ "a NUL in a key", "{\"task\\u0000\":{}}", 400, MESSAGE,
		  "\"Unknown member 'task\\\\u0000'; did you mean 'task'?\"" },
		{ "the task is no object", "{\"task\":[]}", 400, MESSAGE,
		  "\"'task' must be an object\"" },
		{ "the object is no object", "{\"object\":7}", 400, MESSAGE,
		  "\"'object' must be an object\"" },
		{ "a review", "{\"object\":{\"kind\":\"AdmissionReview\"}}", 400, MESSAGE,
		  "\"An AdmissionReview goes to /admission/mutate and /admission/validate\"" },
		{ "a review under another name",
		  "{\"subject\":\"object\",\"request\":{\"kind\":\"AdmissionReview\"}}", 400, MESSAGE,
		  "\"An AdmissionReview goes to /admission/mutate and /admission/validate\"" },
		{ "a mistake beside a name that is no text",
		  "{\"object\":{\"kind\":5},\"explain\":\"x\"}", 400, MESSAGE,
		  "\"'explain' must be true or false\"" },
		{ "no boolean", "{\"task\":{},\"dryRun\":\"true\"}", 400, MESSAGE,
		  "\"'dryRun' must be true or false\"" },
		{ "an operation for a task", "{\"task\":{},\"operation\":\"CREATE\"}", 400, MESSAGE,
		  "\"'operation' is for objects\"" },
		{ "a priority for an object", "{\"object\":{},\"prioritize\":true}", 400, MESSAGE,
		  "\"'prioritize' is for tasks\"" },
		{ "an array", "[]", 400, MESSAGE,
		  "\"A question must be an object with 'task', 'object' or 'http'\"" },
		{ "a task itself", IDLE, 400, MESSAGE,
		  "\"Unknown member 'test'; the task is the value of 'task'\"" },
		{ "a task that begins with its schema", "{\"schema\":1,\"test\":{}}", 400, MESSAGE,
		  "\"Unknown member 'schema'; the task is the value of 'task'\"" },
		{ "another policy", "{\"task\":{},\"policy\":\"limits.conf\"}", 400, MESSAGE,
		  "\"Unknown member 'policy'; a question cannot choose the policy\"" },
		{ "another time", "{\"task\":{},\"time\":0}", 400, MESSAGE,
		  "\"Unknown member 'time'; a question is decided now; limen check decides at any time\"" },
		{ "an older name beside the newer", "{\"task\":{},\"request\":{}}", 400, MESSAGE,
		  "\"There must be 'task', 'object' or 'http', not several of them\"" },
		{ "neither task nor object", "{\"subject\":\"pod\",\"request\":{}}", 400, MESSAGE,
		  "\"'subject' must be \\\"task\\\" or \\\"object\\\"\"" },
		{ "a subject of what has one", "{\"subject\":\"task\",\"task\":{}}", 400, MESSAGE,
		  "\"'subject' is for 'request'\"" },
		{ "hints twice", "{\"task\":{},\"hints\":{\"requester\":\"192.0.2.7\"},\"hints\":{}}", 400,
		  MESSAGE, "\"Member 'hints' is repeated; the first is at line 1 column 12\"" },
		{ "what is no run", "{\"task\":{},\"run\":1}", 400, MESSAGE,
		  "\"'run' must be true or false\"" },
		{ "a manifest itself", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", 400, MESSAGE,
		  "\"Unknown member 'apiVersion'; the manifest is the value of 'object'\"" },
		{ "no text", "", 400, "/code", "400" },
		{ "half a text", "{\"task\":{", 400, "/reason", "\"Bad Request\"" },
		{ "more than one", "{\"task\":{}} {}", 400, "/code", "400" },
		{ "not JSON", "{\"task\":{\"x\":NaN}}", 400, "/code", "400" },
		{ "not UTF-8", "{\"task\":{\"x\":\"\xff\"}}", 400, "/code", "400" },
		{ "a byte order mark", "\xef\xbb\xbf{\"task\":{}}", 400, "/code", "400" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(ask_policy, &ask_unix, rows);
	CU_ASSERT_EQUAL(ask_recorded(), 0);
}

/* Of whom, and asking for whom, and what becomes of it. */
static void
test_peers(void)
{
	static const char plain[] = "{\"task\":" IDLE ",\"diagnostics\":true}";
	static const char for_friend[] =
		"{\"task\":" IDLE ",\"hints\":{\"requester\":\"192.0.2.7\"}}";
	static const char for_stranger[] =
		"{\"task\":" IDLE ",\"hints\":{\"requester\":\"198.51.100.7\"}}";
	static const char for_nobody[] = "{\"task\":" IDLE ",\"hints\":{}}";
	static const struct {
		const http_peer *peer;
		const char *body;
		int status;
		const char *code;
	} rows[] = {
		{ &ask_friend, plain, 200, "200" },       { &ask_stranger, plain, 200, "403" },
		{ &ask_friend6, plain, 200, "200" },      { &ask_unix, plain, 200, "403" },
		{ &ask_proxy, plain, 200, "403" },        { &ask_friend, for_friend, 403, "403" },
		{ &ask_stranger, for_friend, 403, "403" }, { &ask_stranger, for_nobody, 403, "403" },
		{ &ask_friend6, for_friend, 403, "403" }, { &ask_unix, for_friend, 200, "200" },
		{ &ask_proxy, for_friend, 200, "200" },   { &ask_proxy6, for_friend, 200, "200" },
		{ &ask_certified, for_friend, 200, "200" },
		{ &ask_proxy, for_stranger, 200, "403" }, { &ask_unix, for_stranger, 200, "403" },
		{ &ask_proxy, for_nobody, 200, "403" },   { &ask_certified, plain, 200, "403" },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		ask_check(&kit, rows[i].body,
		          &(ask){ .body = rows[i].body, .peer = rows[i].peer }, rows[i].status,
		          "/code", rows[i].code);
	/* An address that is none is trusted by nobody. */
	for (size_t i = 0; i < 2; i++) {
		static const http_peer odd[] = { { .address = "203.0.113" }, { .address = NULL } };

		ask_check(&kit, "odd", &(ask){ .body = for_friend, .peer = &odd[i] }, 403,
		          "/code", "403");
	}
	limen_cidr_set_free(kit.trusted);
	kit.trusted = NULL;
	ask_check(&kit, "trusts nobody", &(ask){ .body = for_friend, .peer = &ask_proxy }, 403,
	          "/code", "403");
	ask_kit_stop(&kit);
}

static void
test_hints(void)
{
	static const struct {
		const http_peer *peer;
		const char *hints;
		const char *account;
	} rows[] = {
		{ &ask_friend, "null",
		  "\"Hints:\\n  requester: 192.0.2.1\\n  server: 192.0.2.99\\nIdentified" },
		{ &ask_proxy, "{\"requester\":\"192.0.2.7\"}",
		  "\"Hints:\\n  requester: 192.0.2.7\\n  server: 192.0.2.99\\nIdentified" },
		{ &ask_proxy, "{\"requester\":\"192.0.2.7\",\"server\":\"192.0.2.8\",\"user\":\"ann\"}",
		  "\"Hints:\\n  requester: 192.0.2.7\\n  server: 192.0.2.8\\n  user: ann\\nIdent" },
		{ &ask_unix, "{\"requester\":\"192.0.2.7\"}",
		  "\"Hints:\\n  requester: 192.0.2.7\\nIdentified" },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *body = g_strdup_printf("{\"task\":" IDLE ",\"diagnostics\":true,\"hints\":%s}",
		                             rows[i].hints);
		ask_answer got;
		char *text;

		ask_send(&kit, &(ask){ .body = body, .peer = rows[i].peer }, &got);
		text = ask_member(&got, "/diagnostics");
		ASSERT(text != NULL && g_str_has_prefix(text, rows[i].account), "%s",
		       text == NULL ? "there are none" : text);
		free(text);
		ask_clear(&got);
		g_free(body);
	}
	ask_check(&kit, "hints are an object",
	          &(ask){ .body = "{\"task\":{},\"hints\":[]}", .peer = &ask_unix }, 400,
	          "/message", "\"'hints' must be an object\"");
	ask_kit_stop(&kit);
}

/* Is Retry-After what the decision says, in whole seconds that are long enough? */
static void
check_wait(const char *about, const ask_answer *got, bool waits)
{
	int64_t wait = got->response.retry_after;
	double exact = 0;

	if (waits)
		waits = limen_value_real(limen_value_get(got->json, "retry_after"), &exact);
	ASSERT(waits ? wait >= 1 && (double)wait >= exact && (double)wait < exact + 1 : wait == 0,
	       "%s: %lld s: %s", about, (long long)wait, got->response.body->str);
}

/* What is asked in the query; 'waits': there is a Retry-After. */
static void
test_status(void)
{
	static const struct {
		const char *about;
		const char *query;
		const char *body;
		int status;
		bool waits;
	} rows[] = {
		{ "admitted", "status=verdict", "{\"task\":" IDLE "}", 200, false },
		{ "refused", "status=verdict", "{\"task\":" BAD "}", 403, false },
		{ "the last one", "status=verdict", "{\"task\":" FEW "}", 200, false },
		{ "too many tasks", "status=verdict", "{\"task\":" FEW "}", 429, true },
		{ "too many, not shown", NULL, "{\"task\":" FEW "}", 200, false },
		{ "cannot tell", "status=verdict",
		  "{\"task\":" IDLE ",\"hints\":{\"requester\":\"bogus\"}}", 500, false },
		{ "cannot tell, not shown", NULL,
		  "{\"task\":" IDLE ",\"hints\":{\"requester\":\"bogus\"}}", 200, false },
		{ "a wrong question", "status=verdict", "{}", 400, false },
		{ "another status", "status=yes", "{\"task\":" IDLE "}", 400, false },
		{ "a status twice", "status=verdict&status=verdict", "{\"task\":" IDLE "}", 400, false },
		{ "a wrong word", "statsu=verdict", "{\"task\":" IDLE "}", 400, false },
		{ "no word", "verdict", "{\"task\":" IDLE "}", 400, false },
		{ "a NUL", "status=verdict%00", "{\"task\":" IDLE "}", 400, false },
		{ "time", "timeout=30s&status=verdict", "{\"task\":" IDLE "}", 200, false },
		{ "no time", "timeout=30", "{\"task\":" IDLE "}", 400, false },
	};
	static const http_peer peer = { .address = "192.0.2.1", .certified = true };
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		ask_answer got;

		ask_send(&kit, &(ask){ .query = rows[i].query, .body = rows[i].body, .peer = &peer },
		         &got);
		ASSERT(got.response.status == rows[i].status, "%s: %d: %s", rows[i].about,
		       got.response.status, got.response.body->str);
		check_wait(rows[i].about, &got, rows[i].waits);
		ask_clear(&got);
	}
	ask_kit_stop(&kit);
}

/* There is one event a second, so of many that come at once one is too many. */
static void
test_too_many(void)
{
	enum { TRIES = 1000 };
	const ask sent = { .query = "status=verdict", .body = EVENT };
	ask_answer got = { .holder = NULL };
	unsigned refused = 0;
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (unsigned i = 0; i < TRIES && refused == 0; i++) {
		ask_send(&kit, &sent, &got);
		if (got.response.status != 200) {
			CU_ASSERT_EQUAL(got.response.status, 429);
			CU_ASSERT_EQUAL(got.response.retry_after, 1);
			refused++;
		}
		ask_clear(&got);
	}
	CU_ASSERT_EQUAL(refused, 1);
	ask_kit_stop(&kit);
}

static void
test_transport(void)
{
	static const struct {
		const char *type;
		int status;
	} types[] = {
		{ "application/json", 200 },        { "application/json; charset=utf-8", 200 },
		{ "Application/JSON", 200 },        { "", 415 },
		{ "text/plain", 415 },              { "application/jsonp", 415 },
		{ "application/x-ndjson", 415 },    { "application/x-www-form-urlencoded", 415 },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		ask_check(&kit, types[i].type,
		          &(ask){ .body = "{\"task\":" IDLE "}", .type = types[i].type },
		          types[i].status, "/admitted", types[i].status == 200 ? "true" : "");
	ask_check(&kit, "GET", &(ask){ .get = true }, 405, "/code", "405");
	ask_recorded();
	ask_check(&kit, "the time is up",
	          &(ask){ .body = "{\"task\":" IDLE "}", .late = INT64_C(61) * 1000000000 }, 503,
	          "/message", "\"The decision timed out\"");
	CU_ASSERT_EQUAL(ask_recorded(), 0);
	ask_check(&kit, "the client's time is up",
	          &(ask){ .body = "{\"task\":" IDLE "}", .query = "timeout=5s",
	                  .late = INT64_C(6) * 1000000000 }, 503, "/code", "503");
	CU_ASSERT_EQUAL(ask_recorded(), 0);
	ask_check(&kit, "there is time", &(ask){ .body = "{\"task\":" IDLE "}", .late = 1000 }, 200,
	          "/code", "200");
	CU_ASSERT_EQUAL(ask_recorded(), 1);
	ask_kit_stop(&kit);
}

static void
test_objects(void)
{
	static const struct row rows[] = {
		{ "admitted", "{\"object\":" POD("1") "}", 200, "/code", "200" },
		{ "refused", "{\"object\":" POD("2") "}", 200, "/reason",
		  "\"pods \\\"web\\\" is forbidden: maximum cpu usage per Container is 1, but limit "
		  "is 2\"" },
		{ "completed", "{\"object\":" POD("1") "}", 200, "/patch/0/path",
		  "\"/spec/containers/0/resources/requests\"" },
		{ "another namespace", "{\"namespace\":\"shop\",\"object\":" POD("2") "}", 200,
		  "/code", "200" },
		{ "creating", "{\"operation\":\"CREATE\",\"object\":" POD("2") "}", 200, "/code",
		  "403" },
		{ "deleting", "{\"operation\":\"DELETE\",\"oldObject\":" POD("2") "}", 200, "/code",
		  "200" },
		{ "changing into", "{\"operation\":\"UPDATE\",\"object\":" POD("2") ",\"oldObject\":"
		  POD("1") ",\"user\":\"ann\",\"groups\":[\"a\",\"b\"]}", 200, "/admitted", "true" },
		{ "comments are members", "{\"object\":{\"#\":1,\"apiVersion\":\"v1\",\"kind\":\"Pod\","
		  "\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"cpu\":1}}}]}}}", 200,
		  "/rewritten/#", "1" },
		{ "an unknown operation", "{\"operation\":\"create\",\"object\":{}}", 400,
		  "/message", "\"'operation' must be CREATE, UPDATE, DELETE or CONNECT\"" },
		{ "a NUL", "{\"user\":\"a\\u0000b\",\"object\":{}}", 400, "/message",
		  "\"'user' must be a string without a NUL\"" },
		{ "no text", "{\"namespace\":1,\"object\":{}}", 400, "/message",
		  "\"'namespace' must be a string without a NUL\"" },
		{ "one group", "{\"groups\":\"a\",\"object\":{}}", 400, "/message",
		  "\"'groups' must be an array of strings\"" },
		{ "odd groups", "{\"groups\":[\"a\",1],\"object\":{}}", 400, "/message",
		  "\"'groups' must be an array of strings\"" },
		{ "a group with a NUL", "{\"groups\":[\"a\\u0000\"],\"object\":{}}", 400, "/code",
		  "400" },
		{ "an odd old object", "{\"oldObject\":[],\"object\":{}}", 400, "/message",
		  "\"'oldObject' must be an object\"" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(ask_policy, &ask_unix, rows);
}

/* An envelope of the sender's own is a claim like a hint. */
static void
test_envelope_trust(void)
{
	static const struct row rows[] = {
		{ "plain", "{\"object\":" POD("2") "}", 200, "/code", "403" },
		{ "user", "{\"user\":\"root\",\"object\":{}}", 403, "/code", "403" },
		{ "groups", "{\"groups\":[],\"object\":{}}", 403, "/code", "403" },
		{ "operation", "{\"operation\":\"DELETE\",\"object\":{}}", 403, "/code", "403" },
		{ "namespace", "{\"namespace\":\"x\",\"object\":{}}", 403, "/code", "403" },
		{ "oldObject", "{\"oldObject\":{}}", 403, "/message",
		  "\"'oldObject' counts only from trusted clients: the unix socket, a client "
		  "certificate, an address of --trust-hints-from\"" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(ask_policy, &ask_friend, rows);
}

/* The hint a classifier reads is what the envelope says. */
static void
test_envelope_hints(void)
{
	static const char policy[] =
		"{\"identifiers\":[{\"name\":\"del\",\"description\":\"D\",\"type\":\"hint\","
		"\"data\":{\"hint\":\"operation\",\"match\":{\"style\":\"exact\",\"match\":\"DELETE\"}}},"
		"{\"name\":\"ann\",\"description\":\"A\",\"type\":\"hint\",\"data\":{\"hint\":\"user\","
		"\"match\":{\"style\":\"exact\",\"match\":\"ann\"}}}],"
		"\"classifiers\":[{\"name\":\"dels\",\"description\":\"D\",\"identifiers\":[\"del\"]},"
		"{\"name\":\"anns\",\"description\":\"A\",\"identifiers\":[\"ann\"]}],"
		"\"admission\":[{\"name\":\"ranges\",\"plugin\":\"LimitRanger\","
		"\"match\":{\"classifiers\":[\"dels\",\"anns\"]},\"data\":{\"manifests\":[{"
		"\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"l\"},"
		"\"spec\":{\"limits\":[]}}]}}]}";
	static const struct row rows[] = {
		{ "neither", "{\"object\":" POD("1") "}", 200, "/classifiers", "[]" },
		{ "an operation", "{\"operation\":\"DELETE\",\"object\":" POD("1") "}", 200,
		  "/classifiers", "[\"dels\"]" },
		{ "a user", "{\"user\":\"ann\",\"object\":" POD("1") "}", 200, "/classifiers",
		  "[\"anns\"]" },
		{ "hints win", "{\"user\":\"bob\",\"hints\":{\"user\":\"ann\"},\"object\":" POD("1") "}",
		  200, "/classifiers", "[\"anns\"]" },
		{ NULL, NULL, 0, NULL, NULL },
	};

	check_rows(policy, &ask_unix, rows);
}

static void
test_without_policy(void)
{
	ask_kit kit;
	limen_engine *with;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	with = kit.shared.decider.engine;
	kit.shared.decider.engine = limen_engine_new(NULL);
	ask_check(&kit, "nothing is loaded", &(ask){ .body = "{\"task\":" IDLE "}" }, 503, "/reason",
	          "\"Service Unavailable\"");
	limen_engine_free(kit.shared.decider.engine);
	kit.shared.decider.engine = with;
	ask_kit_stop(&kit);
}

/* The decision object is that of the library, and so of "limen check". */
static void
check_same(ask_kit *kit, limen_subject subject, const char *document)
{
	char *body = g_strdup_printf("{\"%s\":%s,\"diagnostics\":true}",
	                             subject == LIMEN_SUBJECT_TASK ? "task" : "object", document);
	/* Trusted, as runs need it; its hints are those of the connection. */
	const http_peer sender = { .address = "192.0.2.1", .local = "192.0.2.99",
		                   .certified = true };
	const limen_decide_options options = { .size = sizeof(options),
		                               .diagnostics = true,
		                               .origins = subject == LIMEN_SUBJECT_OBJECT };
	limen_request *req = limen_request_new(subject);
	limen_decision *decision = NULL;
	ask_answer got;
	char *wanted;

	limen_request_parse(req, document, strlen(document), NULL);
	limen_request_set_manifest(req, true);
	limen_request_set_hint(req, "requester", "192.0.2.1");
	limen_request_set_hint(req, "server", "192.0.2.99");
	if (subject == LIMEN_SUBJECT_OBJECT) {
		limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, "default");
		limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
		limen_request_set_field(req, LIMEN_FIELD_KIND, "Pod");
		limen_request_set_field(req, LIMEN_FIELD_GROUP, "");
		limen_request_set_field(req, LIMEN_FIELD_VERSION, "v1");
		limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "pods");
		limen_request_set_field(req, LIMEN_FIELD_NAME, "web");
	}
	CU_ASSERT_EQUAL(limen_engine_decide(kit->shared.decider.engine, req, &options, &decision), LIMEN_OK);
	wanted = limen_decision_to_json(decision, 0, NULL);
	ask_send(kit, &(ask){ .body = body, .peer = &sender }, &got);
	g_string_truncate(got.response.body, got.response.body->len - 1);
	ASSERT(strcmp(got.response.body->str, wanted) == 0, "%s\nis not\n%s",
	       got.response.body->str, wanted);
	ask_clear(&got);
	free(wanted);
	limen_decision_free(decision);
	limen_request_free(req);
	g_free(body);
}

static void
test_same(void)
{
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	check_same(&kit, LIMEN_SUBJECT_TASK, IDLE);
	check_same(&kit, LIMEN_SUBJECT_TASK, BAD);
	check_same(&kit, LIMEN_SUBJECT_TASK,
	           "{\"#\":1,\"test\":{\"type\":\"idle\",\"spec\":{\"stretch\":1}}}");
	check_same(&kit, LIMEN_SUBJECT_TASK,
	           "{\"run_schedule\":{\"start\":\"2026-06-21T08:00:00Z\","
	           "\"duration\":\"PT1M\"},\"test\":{\"type\":\"idle\"}}");
	check_same(&kit, LIMEN_SUBJECT_OBJECT, POD("1"));
	check_same(&kit, LIMEN_SUBJECT_OBJECT, POD("2"));
	ask_kit_stop(&kit);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "questions about tasks", test_tasks },
		{ "who may turn off the rewriter", test_rewriting },
		{ "a dry run costs nothing", test_dry_run },
		{ "questions that are wrong", test_bad_questions },
		{ "whose hints count", test_peers },
		{ "hints of the connection and of the sender", test_hints },
		{ "the status as the verdict", test_status },
		{ "too many events", test_too_many },
		{ "content types, methods and time", test_transport },
		{ "questions about objects", test_objects },
		{ "who may say what happens to an object", test_envelope_trust },
		{ "what is said of an object is a hint too", test_envelope_hints },
		{ "no policy, no decision", test_without_policy },
		{ "the decision object is that of the library", test_same },
		{ NULL, NULL },
	};

	return suite_run("daemon/decide", tests);
}
