/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_admission.c - the admission webhook: the reviews an API server sent, what
 * it would make of the answers, and everything it would never send.
 */
#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

#include "webhook_case.h"

/* The policy of an API server whose own plugins are off. */
static const char cluster_policy[] =
	"apiVersion: v1\n"
	"kind: LimitRange\n"
	"metadata: {name: limits, namespace: wh}\n"
	"spec:\n"
	"  limits:\n"
	"  - type: Container\n"
	"    max: {cpu: 2, memory: 2Gi}\n"
	"    default: {cpu: 500m, memory: 500Mi}\n"
	"    defaultRequest: {cpu: 250m, memory: 250Mi}\n"
	"  - type: PersistentVolumeClaim\n"
	"    max: {storage: 1Mi}\n"
	"---\n"
	"apiVersion: eventratelimit.admission.k8s.io/v1alpha1\n"
	"kind: Configuration\n"
	"limits:\n"
	"- {type: Namespace, qps: 1, burst: 2, cacheSize: 10}\n";

/* Is there a member 'key' in the answer's response? */
static bool
has(const webhook_answer *answer, const char *key)
{
	return limen_value_exists(limen_value_get(answer->response, key));
}

static int64_t
status_code(const webhook_answer *answer)
{
	limen_value status = limen_value_get(answer->response, "status");
	int64_t code = 200;

	limen_value_int(limen_value_get(status, "code"), &code);
	return code;
}

/* What kube-apiserver demands of any answer, in the order it looks. */
static void
check_answer(const webhook_answer *answer, const char *path, const char *body, size_t length)
{
	limen_documents *parsed = NULL;
	limen_value asked;
	bool allowed = false;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("a.json", body, length, 0, &parsed, NULL),
	                      LIMEN_OK);
	asked = limen_documents_get(parsed, 0);
	CU_ASSERT_EQUAL(answer->status, 200);
	CU_ASSERT_EQUAL(answer->retry_after, 0);
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(answer->response, "uid"),
	                              limen_value_string(limen_value_get(
	                              	limen_value_get(asked, "request"), "uid"), NULL)));
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(answer->review, "apiVersion"),
	                              limen_value_string(limen_value_get(asked, "apiVersion"),
	                                                 NULL)));
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(answer->review, "kind"), "AdmissionReview"));
	CU_ASSERT_TRUE(limen_value_bool(limen_value_get(answer->response, "allowed"), &allowed));
	CU_ASSERT_EQUAL(allowed, status_code(answer) == 200);
	CU_ASSERT_EQUAL(has(answer, "status"), !allowed);
	CU_ASSERT_EQUAL(has(answer, "patch"), has(answer, "patchType"));
	CU_ASSERT_FALSE(has(answer, "patch") && (strcmp(path, VALIDATE) == 0 || !allowed));
	limen_documents_free(parsed);
}

/* Each half gets its own recordings, and those of the other, too. */
static void
test_recorded(void)
{
	static const struct {
		const char *name;
		bool patched; /* by mutate */
		int64_t code; /* of validate */
	} rows[] = {
		{ "event-create", false, 200 },
		{ "event-create-from-events.k8s.io", false, 200 },
		{ "event-update", false, 200 },
		{ "limitrange-create", false, 200 },
		{ "limitrange-delete", false, 200 },
		{ "limitrange-update", false, 200 },
		{ "namespace-create", false, 200 },
		/* The recordings are of webhooks that filled nothing in: a limit is missing. */
		{ "pod-create", true, 403 },
		{ "pod-create-dryrun-generatename", true, 403 },
		{ "pod-delete", false, 200 },
		{ "pod-update", false, 200 },
		{ "pvc-create", false, 403 },
	};
	static const char *const phases[] = { "mutate", "validate" };
	static const char *const paths[] = { MUTATE, VALIDATE };

	for (size_t i = 0; i < G_N_ELEMENTS(rows) * 4; i++) {
		service *shared = webhook_service(cluster_policy);
		bool mutates = i % 2 == 0;
		char *name = g_strdup_printf("%s-%s", rows[i / 4].name, phases[i / 2 % 2]);
		size_t length;
		char *body = webhook_read(name, &length);
		webhook_answer answer = webhook_post(shared, paths[i % 2], body, length);

		check_answer(&answer, paths[i % 2], body, length);
		CU_ASSERT_TRUE(i / 2 % 2 == 1 || !mutates ||
		               has(&answer, "patch") == rows[i / 4].patched);
		CU_ASSERT_TRUE(i / 2 % 2 == 0 || mutates ||
		               status_code(&answer) == rows[i / 4].code);
		CU_ASSERT_TRUE(!mutates || status_code(&answer) == 200);
		CU_ASSERT_STRING_EQUAL(webhook_endpoint, paths[i % 2]);
		webhook_answer_free(&answer);
		webhook_service_free(shared);
		g_free(body);
		g_free(name);
	}
}

/* The beta differs in its name alone. */
static void
test_beta(void)
{
	service *shared = webhook_service(cluster_policy);
	size_t length;
	char *body = webhook_read("pod-create-mutate", &length);
	char **parts = g_strsplit(body, "admission.k8s.io/v1\"", 2);
	char *beta = g_strjoinv("admission.k8s.io/v1beta1\"", parts);
	webhook_answer answer = webhook_post(shared, MUTATE, beta, strlen(beta));

	CU_ASSERT_STRING_NOT_EQUAL(beta, body);
	check_answer(&answer, MUTATE, beta, strlen(beta));
	CU_ASSERT_TRUE(has(&answer, "patch"));
	webhook_answer_free(&answer);
	webhook_service_free(shared);
	g_strfreev(parts);
	g_free(beta);
	g_free(body);
}

static int64_t
ask_code(service *shared, const char *path, const char *name)
{
	size_t length;
	char *body = webhook_read(name, &length);
	webhook_answer answer = webhook_post(shared, path, body, length);
	int64_t code = status_code(&answer);

	check_answer(&answer, path, body, length);
	webhook_answer_free(&answer);
	g_free(body);
	return code;
}

/* The same event with another value of dryRun. */
static int64_t
ask_dry(service *shared, const char *path)
{
	size_t length;
	char *body = webhook_read("event-create-validate", &length);
	char **parts = g_strsplit(body, "\"dryRun\":false", 2);
	char *dry = g_strjoinv("\"dryRun\":true", parts);
	webhook_answer answer = webhook_post(shared, path, dry, strlen(dry));
	int64_t code = status_code(&answer);

	CU_ASSERT_STRING_NOT_EQUAL(dry, body);
	webhook_answer_free(&answer);
	g_strfreev(parts);
	g_free(dry);
	g_free(body);
	return code;
}

/* A rate is charged by validate alone, and by no dry run. */
static void
test_charged(void)
{
	service *shared = webhook_service(cluster_policy);
	size_t length;
	char *body = webhook_read("event-create-validate", &length);
	webhook_answer answer;

	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(ask_code(shared, MUTATE, "event-create-mutate"), 200);
		CU_ASSERT_EQUAL(ask_dry(shared, VALIDATE), 200);
	}
	CU_ASSERT_EQUAL(ask_code(shared, VALIDATE, "event-create-validate"), 200);
	CU_ASSERT_EQUAL(ask_code(shared, VALIDATE, "event-create-validate"), 200);
	answer = webhook_post(shared, VALIDATE, body, length);
	CU_ASSERT_EQUAL(status_code(&answer), 429);
	CU_ASSERT_STRING_EQUAL(webhook_status_text(&answer, "status"), "Failure");
	CU_ASSERT_STRING_EQUAL(webhook_status_text(&answer, "reason"), "TooManyRequests");
	CU_ASSERT_PTR_NOT_NULL(webhook_status_text(&answer, "message"));
	/* Clients of Kubernetes would come again, which is not what events are for. */
	CU_ASSERT_FALSE(limen_value_exists(limen_value_get(
		limen_value_get(limen_value_get(answer.response, "status"), "details"),
		"retryAfterSeconds")));
	webhook_answer_free(&answer);
	webhook_service_free(shared);
	g_free(body);
}

static void
test_refused(void)
{
	service *shared = webhook_service(cluster_policy);
	size_t length;
	char *body = webhook_read("pvc-create-validate", &length);
	webhook_answer answer = webhook_post(shared, VALIDATE, body, length);
	limen_value details = limen_value_get(limen_value_get(answer.response, "status"), "details");

	CU_ASSERT_EQUAL(status_code(&answer), 403);
	CU_ASSERT_STRING_EQUAL(webhook_status_text(&answer, "reason"), "Forbidden");
	CU_ASSERT_TRUE(g_str_has_prefix(webhook_status_text(&answer, "message"),
	                                "maximum storage usage per PersistentVolumeClaim is 1Mi"));
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(details, "kind"), "persistentvolumeclaims"));
	CU_ASSERT_EQUAL(limen_value_count(limen_value_get(details, "causes")), 1);
	webhook_answer_free(&answer);
	webhook_service_free(shared);
	g_free(body);
}

/* Who asked whom, and what the review says of it. */
static void
test_hints(void)
{
	service *shared = webhook_service(cluster_policy);

	ask_code(shared, VALIDATE, "pod-create-validate");
	CU_ASSERT_PTR_NOT_NULL_FATAL(webhook_hints);
	CU_ASSERT_STRING_EQUAL(webhook_hints,
	                       "{\"groups\":[\"system:masters\",\"system:authenticated\"],"
	                       "\"namespace\":\"wh\",\"operation\":\"CREATE\","
	                       "\"requester\":\"192.0.2.7\",\"resource\":\"pods\","
	                       "\"server\":\"192.0.2.1\",\"user\":\"admin\"}");
	webhook_service_free(shared);
}

#define CHAIN(data) "{\"admission\": [{\"name\": \"c\", \"plugin\": \"chain\", \"data\": " data "}]}"
#define REVIEW(request)                                                                   \
	"{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\","           \
	"\"request\":" request "}"
#define OPERATION(operation)                                                              \
	REVIEW("{\"uid\":\"u\"," operation "\"resource\":{\"resource\":\"pods\"},"              \
	       "\"kind\":{\"kind\":\"Pod\"},\"object\":{}}")
#define NOT_AN_OPERATION "request.operation: must be CREATE, UPDATE, DELETE or CONNECT"
#define CREATE(more)                                                                      \
	REVIEW("{\"uid\":\"u\",\"operation\":\"CREATE\",\"resource\":{\"resource\":\"pods\"},"  \
	       "\"kind\":{\"kind\":\"Pod\"},\"object\":{}" more "}")

/* What modules answer, and what the API server is told. */
static void
test_verdicts(void)
{
	static const struct {
		const char *policy;
		const char *path;
		int64_t code;
		const char *reason;
		const char *message;
	} rows[] = {
		{ CHAIN("{}"), MUTATE, 200, NULL, NULL },
		{ CHAIN("{}"), VALIDATE, 200, NULL, NULL },
		{ CHAIN("{\"mutate\": \"error\", \"reason\": \"lost\"}"), MUTATE, 500,
		  "InternalError", "admission entry 'c' cannot tell: lost" },
		{ CHAIN("{\"validate\": \"error\", \"reason\": \"lost\"}"), MUTATE, 200, NULL, NULL },
		{ CHAIN("{\"validate\": \"error\", \"reason\": \"lost\"}"), VALIDATE, 500,
		  "InternalError", "admission entry 'c' cannot tell: lost" },
		{ CHAIN("{\"validate\": \"fail\", \"violations\": [[\"invalid\", \"f\", \"no\"]]}"),
		  VALIDATE, 422, "Invalid", "no" },
		{ CHAIN("{\"mutate\": \"fail\", \"violations\": [[\"forbidden\", null, \"a\"],"
		        " [\"forbidden\", null, \"b\"], [\"forbidden\", null, \"a\"]]}"),
		  MUTATE, 403, "Forbidden", "[a, b]" },
		{ CHAIN("{\"validate\": \"fail\", \"violations\": [[\"rate\", null, \"slow\"]]}"),
		  VALIDATE, 429, "TooManyRequests", "slow" },
		{ "{\"limits\": []}", VALIDATE, 500, "InternalError",
		  "the policy has no admission section, so it cannot decide about objects" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		service *shared = webhook_service(rows[i].policy);
		webhook_answer answer = webhook_post(shared, rows[i].path, CREATE(""),
		                                     strlen(CREATE("")));

		check_answer(&answer, rows[i].path, CREATE(""), strlen(CREATE("")));
		CU_ASSERT_EQUAL(status_code(&answer), rows[i].code);
		CU_ASSERT_EQUAL(g_strcmp0(webhook_status_text(&answer, "reason"), rows[i].reason), 0);
		CU_ASSERT_EQUAL(g_strcmp0(webhook_status_text(&answer, "message"), rows[i].message),
		                0);
		webhook_answer_free(&answer);
		webhook_service_free(shared);
	}
}

/* Every body that is no review, with what is said about it. */
static void
test_bad_bodies(void)
{
	static const struct {
		const char *body;
		const char *message;
	} rows[] = {
		{ "", "Invalid JSON: Expecting value: line 1 column 1 (char 0)" },
		{ "kind: AdmissionReview", "Invalid JSON: Expecting value: line 1 column 1 (char 0)" },
		{ "{\"kind\":\"AdmissionReview\"",
		  "Invalid JSON: Expecting ',' delimiter: line 1 column 26 (char 25)" },
		{ REVIEW("{\"uid\":\"u\"}") "x",
		  "Invalid JSON: Extra data: line 1 column 84 (char 83)" },
		{ "{\"a\":\"\xff\"}", "Invalid JSON: Invalid UTF-8: line 1 column 7 (char 6)" },
		{ "[]", "an AdmissionReview is an object" },
		{ "null", "an AdmissionReview is an object" },
		{ "{}", "kind: must be \"AdmissionReview\"" },
		{ "{\"kind\":7}", "kind: must be \"AdmissionReview\"" },
		{ "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}",
		  "kind: must be \"AdmissionReview\", not \"Pod\"" },
		{ "{\"kind\":\"AdmissionReview\"}",
		  "apiVersion: must be \"admission.k8s.io/v1\" or \"admission.k8s.io/v1beta1\"" },
		{ "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v2\"}",
		  "apiVersion: must be \"admission.k8s.io/v1\" or \"admission.k8s.io/v1beta1\","
		  " not \"admission.k8s.io/v2\"" },
		{ "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}",
		  "request: must be an object" },
		{ REVIEW("null"), "request: must be an object" },
		{ REVIEW("{}"), "request.uid: must be a string that is not empty" },
		{ REVIEW("{\"uid\":\"\"}"), "request.uid: must be a string that is not empty" },
		{ REVIEW("{\"uid\":3}"), "request.uid: must be a string that is not empty" },
		{ REVIEW("{\"uid\":null}"), "request.uid: must be a string that is not empty" },
		{ REVIEW("{\"uid\":\"a\\u0000b\"}"), "request.uid: must not hold a NUL" },
		{ CREATE(",\"namespace\":\"a\\u0000b\""), "request.namespace: must not hold a NUL" },
		{ CREATE(",\"subResource\":{}"), "request.subResource: must be a string" },
		{ CREATE(",\"requestKind\":[]"), "request.requestKind: must be an object" },
		{ CREATE(",\"userInfo\":{\"groups\":[[]]}"),
		  "request.userInfo.groups[]: must be a string" },
		{ CREATE(",\"dryRun\":\"true\""), "request.dryRun: must be true or false" },
		{ CREATE(",\"oldObject\":1"), "request.oldObject: must be an object" },
		{ OPERATION(""), NOT_AN_OPERATION },
		{ OPERATION("\"operation\":null,"), NOT_AN_OPERATION },
		{ OPERATION("\"operation\":\"\","), NOT_AN_OPERATION ", not \"\"" },
		{ OPERATION("\"operation\":\"create\","), NOT_AN_OPERATION ", not \"create\"" },
		{ OPERATION("\"operation\":\"X\","), NOT_AN_OPERATION ", not \"X\"" },
	};
	service *shared = webhook_service(CHAIN("{}"));
	unsigned before = atomic_load(&webhook_recorded);

	for (size_t i = 0; i < G_N_ELEMENTS(rows) * 2; i++) {
		const char *body = rows[i / 2].body;
		webhook_answer answer = webhook_post(shared, i % 2 == 0 ? MUTATE : VALIDATE, body,
		                                     strlen(body));
		const char *message = limen_value_string(limen_value_get(answer.review, "message"),
		                                         NULL);

		CU_ASSERT_EQUAL(answer.status, 400);
		CU_ASSERT_PTR_NOT_NULL_FATAL(message);
		if (strcmp(message, rows[i / 2].message) != 0)
			printf("# %s\n", message);
		CU_ASSERT_STRING_EQUAL(message, rows[i / 2].message);
		webhook_answer_free(&answer);
	}
	CU_ASSERT_EQUAL(atomic_load(&webhook_recorded), before);
	webhook_service_free(shared);
}

/* What decoders of Kubernetes look past. */
static void
test_good_bodies(void)
{
	static const char *const bodies[] = {
		CREATE(""),
		CREATE(",\"later\":{\"a\":[1]},\"userInfo\":{\"username\":\"u\",\"uid\":\"1\","
		       "\"extra\":{\"scopes\":[\"a\",\"b\"]}}"),
		CREATE(",\"oldObject\":null,\"dryRun\":null,\"userInfo\":null,\"name\":null"),
		CREATE(",\"name\":\"\",\"subResource\":\"\",\"options\":{\"kind\":\"CreateOptions\"}"),
		" \n\t" CREATE("") "\r\n",
		REVIEW("{\"uid\":\"u\",\"operation\":\"DELETE\",\"resource\":{\"resource\":\"pods\"},"
		       "\"kind\":{\"kind\":\"Pod\"},\"object\":null,\"oldObject\":{}}"),
		REVIEW("{\"uid\":\"u\",\"operation\":\"CONNECT\",\"kind\":{\"kind\":\"PodExecOptions\"},"
		       "\"resource\":{\"resource\":\"pods\"},\"subResource\":\"exec\","
		       "\"object\":{\"kind\":\"PodExecOptions\"}}"),
	};
	service *shared = webhook_service(CHAIN("{}"));

	for (size_t i = 0; i < G_N_ELEMENTS(bodies) * 2; i++) {
		const char *path = i % 2 == 0 ? MUTATE : VALIDATE;
		const char *body = bodies[i / 2];
		webhook_answer answer = webhook_post(shared, path, body, strlen(body));

		check_answer(&answer, path, body, strlen(body));
		CU_ASSERT_EQUAL(status_code(&answer), 200);
		webhook_answer_free(&answer);
	}
	webhook_service_free(shared);
}

/* What is wrong before the body is looked at. */
static void
test_requests(void)
{
	static const struct {
		http_method method;
		const char *type;
		const char *timeout;
		int64_t ago; /* nanoseconds since it arrived */
		int status;
	} rows[] = {
		{ HTTP_POST, "application/json", "10s", 0, 200 },
		{ HTTP_POST, "application/json; charset=utf-8", NULL, 0, 200 },
		{ HTTP_POST, "Application/JSON", "soon", 0, 200 },
		{ HTTP_GET, "application/json", NULL, 0, 405 },
		{ HTTP_OTHER, "application/json", NULL, 0, 405 },
		{ HTTP_CONNECT, "application/json", NULL, 0, 405 },
		{ HTTP_POST, NULL, NULL, 0, 415 },
		{ HTTP_POST, "", NULL, 0, 415 },
		{ HTTP_POST, "text/plain", NULL, 0, 415 },
		{ HTTP_POST, "application/jsonx", NULL, 0, 415 },
		{ HTTP_POST, "application/yaml", NULL, 0, 415 },
		{ HTTP_POST, "application/json", "1s", INT64_C(2000000000), 503 },
	};
	service *shared = webhook_service(CHAIN("{}"));

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *timeout = rows[i].timeout;
		const http_pair argument = { .name = "timeout", .value = timeout,
			                       .length = timeout == NULL ? 0 : strlen(timeout) };
		const http_request request = {
			.method = rows[i].method,
			.path = VALIDATE,
			.row = endpoint_row(VALIDATE),
			.arguments = { &argument, timeout == NULL ? 0 : 1 },
			.content_type = rows[i].type,
			.body = CREATE(""),
			.length = strlen(CREATE("")),
			.peer = { .unix_socket = true },
			.arrived = limen_host_monotonic() - rows[i].ago,
		};
		webhook_answer answer = webhook_send(shared, &request);

		CU_ASSERT_EQUAL(answer.status, rows[i].status);
		/* With that header the API server would wait and ask again. */
		CU_ASSERT_EQUAL(answer.retry_after, 0);
		webhook_answer_free(&answer);
	}
	webhook_service_free(shared);
}

/* Where there is no decision the call is a failure, and failurePolicy counts. */
static void
test_without_policy(void)
{
	service *shared = webhook_service(NULL);
	webhook_answer answer = webhook_post(shared, VALIDATE, CREATE(""), strlen(CREATE("")));

	CU_ASSERT_EQUAL(answer.status, 503);
	CU_ASSERT_FALSE(limen_value_exists(answer.response));
	webhook_answer_free(&answer);
	webhook_service_free(shared);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "reviews that an API server sent", test_recorded },
		{ "v1beta1 is answered as v1beta1", test_beta },
		{ "rates are charged by validate alone, and by no dry run", test_charged },
		{ "a refusal by a LimitRange", test_refused },
		{ "hints come from the review and the connection", test_hints },
		{ "codes, reasons and messages", test_verdicts },
		{ "bodies that are no review", test_bad_bodies },
		{ "bodies with what may be looked past", test_good_bodies },
		{ "methods, content types and deadlines", test_requests },
		{ "no policy, no answer", test_without_policy },
		{ NULL, NULL },
	};

	return suite_run("daemon/admission", tests);
}
