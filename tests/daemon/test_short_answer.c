/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_short_answer.c - what is answered where requesters are told what was decided and
 * nothing else: every byte of it, for nothing of the policy may be in it.
 */
#include <limen/host.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask_kit.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* All names and texts of it have "zz" in them. */
static const char policy[] =
	"{\"schema\":4,\"identifiers\":["
	"{\"name\":\"zz-friend\",\"description\":\"zz\",\"type\":\"ip-cidr-list\","
	"\"data\":{\"cidrs\":[\"192.0.2.0/24\"]}}],"
	"\"classifiers\":[{\"name\":\"zz-friends\",\"description\":\"zz\","
	"\"identifiers\":[\"zz-friend\"]}],"
	"\"rewrite\":{\"script\":\"if .test.spec.stretch then "
	".test.spec.duration = \\\"PT5S\\\" | change(\\\"zz-longer\\\") else . end\"},"
	"\"priority\":{\"script\":\"set(.test.spec.p; \\\"zz-seven\\\")\"},"
	"\"limits\":["
	"{\"name\":\"zz-good\",\"description\":\"zz\",\"type\":\"jq\","
	"\"data\":{\"script\":\"if .test.spec.bad then \\\"zz-bad\\\" else true end\"}},"
	"{\"name\":\"zz-one\",\"description\":\"zz\",\"type\":\"rate\","
	"\"data\":{\"rate\":\"1/PT1H30M\",\"burst\":1}},"
	"{\"name\":\"zz-few\",\"description\":\"zz\",\"type\":\"test-type\","
	"\"data\":{\"types\":[\"few\"]}},"
	"{\"name\":\"zz-idle\",\"description\":\"zz\",\"type\":\"test-type\","
	"\"data\":{\"types\":[\"idle\"]}}],"
	"\"applications\":["
	"{\"description\":\"zz-idles\",\"classifier\":\"zz-friends\","
	"\"apply\":[{\"require\":\"all\",\"limits\":[\"zz-good\",\"zz-idle\"]}]},"
	"{\"description\":\"zz-fews\",\"classifier\":\"zz-friends\","
	"\"apply\":[{\"require\":\"all\",\"limits\":[\"zz-few\",\"zz-one\"]}]}],"
	"\"admission\":[{\"name\":\"zz-ranges\",\"plugin\":\"LimitRanger\",\"data\":{\"manifests\":["
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"zz-range\","
	"\"namespace\":\"default\"},\"spec\":{\"limits\":[{\"type\":\"Container\","
	"\"max\":{\"cpu\":\"1\"}}]}}]}},"
	"{\"name\":\"zz-events\",\"plugin\":\"EventRateLimit\",\"data\":{\"limits\":["
	"{\"type\":\"Server\",\"qps\":1,\"burst\":1}]}}]}";

#define TASK(type, spec) "{\"test\":{\"type\":\"" type "\",\"spec\":{" spec "}}}"
#define POD(cpu) "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"},\"spec\":" \
	"{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"" cpu "\"}," \
	"\"requests\":{\"cpu\":\"" cpu "\"}}}]}}"
#define EVENT "{\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"metadata\":{\"name\":\"e\"}}}"

/* Everything that can be asked for beside the decision. */
#define CURIOUS ",\"diagnostics\":true,\"explain\":true"

#define SHORT(head, priority, rewritten, patch, wait)                                             \
	"{" head ",\"messages\":[],\"diagnostics\":null,\"identifiers\":[],\"classifiers\":[],"   \
	"\"priority\":" priority ",\"rewritten\":" rewritten ",\"patch\":" patch                  \
	",\"warnings\":[],\"retry_after\":" wait "}"
#define YES "\"admitted\":true,\"code\":200,\"reason\":\"admitted\""
#define NO "\"admitted\":false,\"code\":403,\"reason\":\"refused by the policy\""
#define LATER(code)                                                                               \
	"\"admitted\":false,\"code\":" code ",\"reason\":\"too many requests, try again later\""
#define UNKNOWN "\"admitted\":false,\"code\":500,\"reason\":\"cannot be decided now\""
#define REFUSED(head) SHORT(head, "null", "null", "null", "null")

static bool
start(ask_kit *kit)
{
	bool started = ask_kit_start(kit, policy);

	kit->shared.decider.short_messages = true;
	return started;
}

static void
check_answer(ask_kit *kit, const char *about, const ask *sent, int status, const char *wanted)
{
	ask_answer got;

	ask_send(kit, sent, &got);
	ASSERT(got.response.status == status, "%s: status %d, not %d", about, got.response.status,
	       status);
	ASSERT(strcmp(got.response.body->str, wanted) == 0, "%s: %s\nand not %s", about,
	       got.response.body->str, wanted);
	ASSERT(strstr(got.response.body->str, "zz") == NULL, "%s: %s", about,
	       got.response.body->str);
	ask_clear(&got);
}

static void
test_decide(void)
{
	static const struct {
		const char *about;
		const char *body;
		const char *wanted;
	} rows[] = {
		{ "admitted", "{\"task\":" TASK("idle", "") CURIOUS "}",
		  SHORT(YES, "0", TASK("idle", ""), "[]", "null") "\n" },
		{ "not to be rewritten", "{\"rewrite\":false,\"task\":" TASK("idle", "") "}",
		  SHORT(YES, "0", "null", "null", "null") "\n" },
		{ "rewritten", "{\"task\":" TASK("idle", "\"stretch\":1") "}",
		  SHORT(YES, "0", TASK("idle", "\"stretch\":1,\"duration\":\"PT5S\""),
		        "[{\"op\":\"add\",\"path\":\"/test/spec/duration\",\"value\":\"PT5S\"}]",
		        "null") "\n" },
		{ "a priority", "{\"run\":true,\"id\":{\"a\":1},\"task\":" TASK("idle", "\"p\":-7") "}",
		  SHORT("\"id\":{\"a\":1}," YES, "-7", "null", "null", "null") "\n" },
		{ "one with a fraction", "{\"run\":true,\"task\":" TASK("idle", "\"p\":0.1") "}",
		  SHORT(YES, "0.1", "null", "null", "null") "\n" },
		{ "one with many digits", "{\"run\":true,\"task\":" TASK("idle", "\"p\":0.30000000000000004") "}",
		  SHORT(YES, "0.30000000000000004", "null", "null", "null") "\n" },
		{ "refused", "{\"id\":\"mine\",\"task\":" TASK("idle", "\"bad\":1,\"stretch\":1") CURIOUS "}",
		  REFUSED("\"id\":\"mine\"," NO) "\n" },
		{ "a run that is refused", "{\"run\":true,\"task\":" TASK("odd", "\"p\":1") "}",
		  REFUSED(NO) "\n" },
		{ "cannot tell", "{\"run\":true,\"task\":" TASK("idle", "\"p\":\"x\"") CURIOUS "}",
		  REFUSED(UNKNOWN) "\n" },
		{ "a pod", "{\"object\":" POD("1") CURIOUS "}",
		  SHORT(YES, "null", "null", "null", "null") "\n" },
		{ "a pod that is refused", "{\"object\":" POD("2") CURIOUS "}", REFUSED(NO) "\n" },
	};
	ask_kit kit;

	if (!start(&kit))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		check_answer(&kit, rows[i].about, &(ask){ .body = rows[i].body, .peer = &ask_server },
		             200, rows[i].wanted);
	check_answer(&kit, "nobody identified",
	             &(ask){ .body = rows[0].body, .peer = &ask_stranger }, 200, REFUSED(NO) "\n");
	check_answer(&kit, "without an address", &(ask){ .body = rows[0].body, .peer = &ask_unix },
	             200, REFUSED(NO) "\n");
	ask_kit_stop(&kit);
}

/* How long to wait is told, also in the header. */
static void
test_rates(void)
{
	static const char few[] = "{\"task\":" TASK("few", "") ",\"rewrite\":false}";
	ask sent = { .body = few, .query = "status=verdict", .peer = &ask_server };
	ask_answer got;
	ask_kit kit;
	char *wait;

	if (!start(&kit))
		return;
	check_answer(&kit, "the first", &sent, 200, SHORT(YES, "0", "null", "null", "null") "\n");
	ask_send(&kit, &sent, &got);
	wait = ask_member(&got, "/retry_after");
	ASSERT(got.response.status == 429 && wait != NULL && atof(wait) > 5000 && atof(wait) <= 5400 &&
	       got.response.retry_after == (int64_t)ceil(atof(wait)),
	       "%d, Retry-After %d: %s", got.response.status, (int)got.response.retry_after,
	       got.response.body->str);
	ASSERT(g_str_has_prefix(got.response.body->str, "{" LATER("429") ",\"messages\":[]"), "%s",
	       got.response.body->str);
	free(wait);
	ask_clear(&got);
	check_answer(&kit, "an event", &(ask){ .body = EVENT }, 200,
	             SHORT(YES, "null", "null", "null", "null") "\n");
	ask_send(&kit, &(ask){ .body = EVENT, .query = "status=verdict" }, &got);
	ASSERT(got.response.status == 429 && got.response.retry_after == 1 &&
	       g_str_has_prefix(got.response.body->str, "{" LATER("429") ",\"messages\":[]"),
	       "%d: %s", got.response.status, got.response.body->str);
	ask_clear(&got);
	ask_kit_stop(&kit);
}

static void
test_batch(void)
{
	ask_kit kit;

	if (!start(&kit))
		return;
	check_answer(&kit, "a batch",
	             &(ask){ .path = "/v1/decide/batch",
	                     .body = "[{\"id\":1,\"object\":" POD("1") "},{\"object\":" POD("2")
	                             CURIOUS "},{\"id\":3,\"tusk\":1}]" },
	             200,
	             "[" SHORT("\"id\":1," YES, "null", "null", "null", "null") "," REFUSED(NO)
	             ",{\"id\":3,\"error\":{\"code\":400,\"reason\":\"Bad Request\",\"message\":"
	             "\"Unknown member 'tusk'; did you mean 'task'?\"}}]\n");
	ask_kit_stop(&kit);
}

static void
test_passed(void)
{
	static const struct {
		const char *about;
		const char *query;
		int status;
		const char *wanted;
	} rows[] = {
		{ "passed", "task=" TASK("idle", ""), 200,
		  "{\"passed\":true,\"message\":\"admitted\"}\n" },
		{ "refused", "task=" TASK("idle", "\"bad\":1"), 200,
		  "{\"passed\":false,\"message\":\"refused by the policy\"}\n" },
		{ "as a status", "status=verdict&task=" TASK("idle", "\"bad\":1"), 404,
		  "{\"passed\":false,\"message\":\"refused by the policy\"}\n" },
		{ "to be changed first", "task=" TASK("idle", "\"stretch\":1"), 200,
		  "{\"passed\":false,\"message\":\"the task would pass only after it was rewritten\"}\n" },
		{ "the first", "rewrite=false&task=" TASK("few", ""), 200,
		  "{\"passed\":true,\"message\":\"admitted\"}\n" },
		{ "the second", "rewrite=false&task=" TASK("few", ""), 200,
		  "{\"passed\":false,\"message\":\"too many requests, try again later\"}\n" },
		{ "no task", "task=[]", 400,
		  "{\"code\":400,\"reason\":\"Bad Request\",\"message\":\"'task' must be an object\"}\n" },
	};
	ask_kit kit;

	if (!start(&kit))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		check_answer(&kit, rows[i].about,
		             &(ask){ .path = "/v1/passed", .query = rows[i].query, .get = true,
		                     .peer = &ask_server },
		             rows[i].status, rows[i].wanted);
	check_answer(&kit, "cannot tell",
	             &(ask){ .path = "/v1/passed", .query = "requester=None&task=" TASK("idle", ""),
	                     .get = true, .peer = &ask_unix },
	             500,
	             "{\"code\":500,\"reason\":\"Internal Server Error\",\"message\":"
	             "\"cannot be decided now\"}\n");
	ask_kit_stop(&kit);
}

/* What is wrong with the question is told as ever, and no policy is a fault that names none. */
static void
test_faults(void)
{
	ask_kit kit;

	if (!start(&kit))
		return;
	check_answer(&kit, "no JSON", &(ask){ .body = "{" }, 400,
	             "{\"code\":400,\"reason\":\"Bad Request\",\"message\":\"The body: Invalid JSON: "
	             "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)\"}\n");
	check_answer(&kit, "a claim",
	             &(ask){ .body = "{\"hints\":{},\"task\":" TASK("idle", "") "}" }, 403,
	             "{\"code\":403,\"reason\":\"Forbidden\",\"message\":\"'hints' counts only "
	             "from trusted clients: the unix socket, a client certificate, an address of "
	             "--trust-hints-from\"}\n");
	check_answer(&kit, "no time",
	             &(ask){ .body = "{\"task\":" TASK("idle", "") "}", .query = "timeout=1s",
	                     .late = INT64_C(2000000000) },
	             503,
	             "{\"code\":503,\"reason\":\"Service Unavailable\",\"message\":"
	             "\"The decision timed out\"}\n");
	limen_engine_free(kit.shared.decider.engine);
	kit.shared.decider.engine = limen_engine_new(NULL);
	check_answer(&kit, "no policy", &(ask){ .body = "{\"task\":" TASK("idle", "") "}" }, 503,
	             "{\"code\":503,\"reason\":\"Service Unavailable\",\"message\":"
	             "\"No decision: the engine holds no policy\"}\n");
	ask_kit_stop(&kit);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a decision, whatever is asked for beside it", test_decide },
		{ "too many", test_rates },
		{ "a batch", test_batch },
		{ "yes or no", test_passed },
		{ "faults of a question", test_faults },
		{ NULL, NULL },
	};

	return suite_run("daemon/short_answer", tests);
}
