/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation while an endpoint answers fails, alone and with all that follow, those of
 * modules, jansson and libc included: nothing crashes, nobody is admitted who is
 * not otherwise, and the next answer is as good as ever.
 *
 * GLib ends the process where it gets no memory, and libjq does; theirs succeed.  So
 * do the daemon's programs where only half an answer could be written: each failure
 * has a process of its own, and may end it with g_error() and in no other way.
 */
#include <limen/host.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "observed.h"
#include "short_memory.h"
#include "suite.h"

/* Rates are so high that nothing is refused for them. */
static const char policy[] =
	"{\"schema\": 4, \"identifiers\": ["
	"  {\"name\": \"all\", \"description\": \"\", \"type\": \"always\", \"data\": {}},"
	"  {\"name\": \"ours\", \"description\": \"\", \"type\": \"ip-cidr-list\","
	"   \"data\": {\"cidrs\": [\"192.0.2.0/24\"]}},"
	"  {\"name\": \"who\", \"description\": \"\", \"type\": \"hint\", \"data\": {\"hint\": \"who\","
	"   \"match\": {\"style\": \"regex\", \"match\": \"^a+$\"}}}],"
	" \"classifiers\": [{\"name\": \"ours\", \"description\": \"\", \"identifiers\": [\"ours\", \"who\"]}],"
	" \"limits\": [{\"name\": \"types\", \"type\": \"test-type\", \"data\": {\"types\": [\"rtt\"]}},"
	"  {\"name\": \"often\", \"type\": \"rate\", \"data\": {\"key\": [\"requester\"],"
	"   \"rate\": \"1000000000/s\"}},"
	"  {\"name\": \"short\", \"type\": \"test\", \"data\": {\"test\": \"rtt\", \"limit\":"
	"   {\"count\": {\"range\": {\"lower\": 1, \"upper\": 10}}}}}],"
	" \"applications\": [{\"description\": \"\", \"classifier\": \"ours\", \"apply\": ["
	"   {\"require\": \"all\", \"limits\": [\"types\", \"often\", \"short\"]}]}],"
	" \"admission\": [{\"name\": \"sizes\", \"plugin\": \"LimitRanger\", \"data\": {\"manifests\": ["
	"   {\"apiVersion\": \"v1\", \"kind\": \"LimitRange\", \"metadata\": {\"name\": \"sizes\"},"
	"    \"spec\": {\"limits\": [{\"type\": \"Container\", \"max\": {\"cpu\": \"2\"},"
	"     \"default\": {\"cpu\": \"1\"}, \"defaultRequest\": {\"cpu\": \"500m\"}}]}}]}},"
	"  {\"name\": \"events\", \"plugin\": \"EventRateLimit\", \"data\": {\"limits\": ["
	"   {\"type\": \"Server\", \"qps\": 1000000, \"burst\": 100000000},"
	"   {\"type\": \"User\", \"qps\": 1000000, \"burst\": 100000000}]}}]}";

#define TASK(COUNT) "{\"test\": {\"type\": \"rtt\", \"spec\": {\"count\": " COUNT "}}}"
#define REVIEW(KIND, RESOURCE, OBJECT)                                                     \
	"{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\","            \
	" \"request\": {\"uid\": \"u\", \"kind\": {\"group\": \"\", \"version\": \"v1\","      \
	" \"kind\": \"" KIND "\"}, \"resource\": {\"group\": \"\", \"version\": \"v1\","       \
	" \"resource\": \"" RESOURCE "\"}, \"namespace\": \"default\", \"operation\": \"CREATE\","   \
	" \"userInfo\": {\"username\": \"bob\", \"groups\": [\"g\"]}, \"object\": " OBJECT "}}"
#define POD(CPU)                                                                           \
	REVIEW("Pod", "pods", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\","                   \
	       " \"metadata\": {\"name\": \"p\"}, \"spec\": {\"containers\": [{\"name\": \"c\","   \
	       " \"resources\": {\"limits\": {\"cpu\": \"" CPU "\"}}}]}}")
#define EVENT                                                                              \
	REVIEW("Event", "events", "{\"apiVersion\": \"v1\", \"kind\": \"Event\","             \
	       " \"metadata\": {\"name\": \"e\"}, \"involvedObject\": {\"kind\": \"Pod\"}}")

/* What is asked, and the text of the answer that means "admitted"; NULL: nobody is. */
typedef struct row {
	const char *about;
	http_method method;
	const char *path;
	const char *body;
	const char *good; /* in the answer when memory is there */
	const char *never; /* in no answer whatever fails */
} row;

static const row rows[] = {
	{ "a task that passes", HTTP_POST, "/v1/decide", "{\"task\": " TASK("5") "}",
	  "\"admitted\":true", NULL },
	{ "a task that is refused", HTTP_POST, "/v1/decide", "{\"task\": " TASK("50") "}",
	  "\"admitted\":false", "\"admitted\":true" },
	{ "several", HTTP_POST, "/v1/decide/batch",
	  "[{\"task\": " TASK("50") "}, {\"task\": " TASK("60") "}]", "\"admitted\":false",
	  "\"admitted\":true" },
	{ "a passed that is not", HTTP_POST, "/v1/passed", "{\"task\": " TASK("50") "}", "\"passed\":false",
	  "\"passed\":true" },
	{ "a pod that is changed", HTTP_POST, "/admission/mutate", POD("1"), "\"allowed\":true",
	  NULL },
	{ "a pod that passes", HTTP_POST, "/admission/validate", POD("1"), "\"allowed\":true",
	  NULL },
	{ "a pod that is refused", HTTP_POST, "/admission/validate", POD("3"),
	  "\"allowed\":false", "\"allowed\":true" },
	{ "an event", HTTP_POST, "/admission/validate", EVENT, "\"allowed\":true", NULL },
	{ "the policy", HTTP_GET, "/v1/policy", "", "LimitRanger", NULL },
	{ "whether it is ready", HTTP_GET, "/readyz", "", "ok", NULL },
};

static service shared;

static http_response
ask(const row *tried, bool *failed, unsigned long nth, bool all)
{
	http_response response = { .status = 200, .content_type = "application/json",
		                   .body = g_string_sized_new(65536) };
	const http_request request = {
		.method = tried->method,
		.path = tried->path,
		.row = endpoint_row(tried->path),
		.content_type = "application/json",
		.body = tried->body,
		.length = strlen(tried->body),
		.peer = { .address = "192.0.2.7", .local = "192.0.2.1", .trusted = true },
		.arrived = limen_host_monotonic(),
	};

	short_memory_start(nth, all);
	endpoint_answer(&shared, &request, &response);
	*failed = short_memory_stop();
	return response;
}

static bool
holds(const http_response *response, const char *text)
{
	return text != NULL && strstr(response->body->str, text) != NULL;
}

/* Is it JSON, if it says so?  Half an answer would be as bad as a wrong one. */
static bool
is_readable(const http_response *response)
{
	limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);
	bool good = strcmp(response->content_type, "application/json") != 0 ||
	            limen_request_parse(holder, response->body->str, response->body->len, NULL) ==
	                    LIMEN_OK;

	limen_request_free(holder);
	return good;
}

/* Is it said that who asks has done something wrong? */
static bool
is_blamed(const http_response *response)
{
	return response->status >= 400 && response->status < 500;
}

static void
check_sound(const row *tried)
{
	bool failed;
	http_response response = ask(tried, &failed, 0, false);

	if (response.status != 200 || !holds(&response, tried->good))
		printf("# %s: %d %s\n", tried->about, response.status, response.body->str);
	CU_ASSERT_EQUAL(response.status, 200);
	CU_ASSERT_TRUE(holds(&response, tried->good));
	http_response_clear(&response);
}

/* What becomes of a process that answers. */
enum { WENT_WELL, WITHOUT_MEMORY, WENT_WRONG };

static int
try_failure(const row *tried, unsigned long nth, bool all)
{
	bool failed;
	http_response response = ask(tried, &failed, nth, all);
	bool fine = !holds(&response, tried->never) && response.status >= 200 &&
	            response.status < 600 && is_readable(&response) &&
	            !is_blamed(&response) &&
	            (failed || (response.status == 200 && holds(&response, tried->good)));

	if (!fine) {
		printf("# %s: allocation %lu: %d %s\n", tried->about, nth, response.status,
		       response.body->str);
		fflush(stdout);
		return WENT_WRONG;
	}
	return failed ? WITHOUT_MEMORY : WENT_WELL;
}

/* GLib's handler of errors, in the process that is to answer; 'text' may be NULL by now. */
static void
end(const char *domain, GLogLevelFlags level, const char *text, void *data)
{
	(void)domain;
	(void)text;
	(void)data;
	_exit((level & G_LOG_LEVEL_ERROR) != 0 ? WITHOUT_MEMORY : WENT_WRONG);
}

/* Returns whether an allocation was left to fail. */
static bool
check_failure(const row *tried, unsigned long nth, bool all)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		g_log_set_default_handler(end, NULL);
		_exit(try_failure(tried, nth, all));
	}
	CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == WENT_WRONG) {
		printf("# %s: allocation %lu: status %x\n", tried->about, nth, (unsigned)status);
		CU_FAIL("the process");
		return WIFEXITED(status);
	}
	return WEXITSTATUS(status) == WITHOUT_MEMORY;
}

static void
test_endpoint(void *which)
{
	const row *tried = which;
	unsigned long count = 0;

	if (short_memory_unavailable() != NULL) {
		suite_skip(short_memory_unavailable());
		return;
	}
	check_sound(tried);
	for (int all = 0; all < 2; all++)
		for (unsigned long nth = 1; check_failure(tried, nth, all == 1); nth++)
			count++;
	/* Probes hardly need any. */
	CU_ASSERT(count > 10 || tried->method == HTTP_GET);
	check_sound(tried);
}

int
main(void)
{
	static const char *const fatal[] = { "libglib", "libgio", "libgobject", "libjq",
		                             "libonig", NULL };
	static struct suite_data_test tests[sizeof(rows) / sizeof(rows[0])];
	int status;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tests[i] = (struct suite_data_test){ rows[i].about, test_endpoint,
			                             (void *)(uintptr_t)&rows[i] };
	observed_start(&shared, policy, 10);
	shared.decider.timeout = 60 * LIMEN_SECOND;
	shared.batch_maximum = 10;
	short_memory_spare(fatal);
	status = suite_run_data("daemon/short memory", tests, sizeof(rows) / sizeof(rows[0]));
	observed_stop(&shared);
	return status;
}
