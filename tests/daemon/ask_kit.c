/* SPDX-License-Identifier: Apache-2.0 */
#include "ask_kit.h"

#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

#include "http/arguments.h"
#include "plugin.h"
#include "recorder.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

const http_peer ask_friend = { .address = "192.0.2.1", .local = "192.0.2.99" };
const http_peer ask_stranger = { .address = "198.51.100.1", .local = "192.0.2.99" };
const http_peer ask_friend6 = { .address = "2001:db8::1", .local = "2001:db8::99" };
const http_peer ask_proxy = { .address = "203.0.113.5", .local = "192.0.2.99" };
const http_peer ask_proxy6 = { .address = "2001:db8:ffff::5", .local = "2001:db8::99" };
const http_peer ask_certified = { .address = "198.51.100.1", .local = "192.0.2.99",
	                          .certified = true };
const http_peer ask_server = { .address = "192.0.2.1", .local = "192.0.2.99",
	                       .certified = true };
const http_peer ask_unix = { .unix_socket = true };

const char ask_policy[] =
	"{\"schema\":4,\"identifiers\":["
	"{\"name\":\"friend\",\"description\":\"F\",\"type\":\"ip-cidr-list\","
	"\"data\":{\"cidrs\":[\"192.0.2.0/24\",\"2001:db8::/48\"]}}],"
	"\"classifiers\":[{\"name\":\"friends\",\"description\":\"F\","
	"\"identifiers\":[\"friend\"]}],"
	"\"rewrite\":{\"script\":\"if .test.spec.stretch then .test.spec.duration = \\\"PT5S\\\""
	" | change(\\\"longer\\\") else . end\"},"
	"\"priority\":{\"script\":\"set(7; \\\"seven\\\")\"},"
	"\"limits\":["
	"{\"name\":\"known\",\"description\":\"K\",\"type\":\"test-type\","
	"\"data\":{\"types\":[\"idle\",\"few\"]}},"
	"{\"name\":\"good\",\"description\":\"G\",\"type\":\"jq\","
	"\"data\":{\"script\":\"if .test.spec.bad then \\\"it is bad\\\" else true end\"}},"
	"{\"name\":\"one\",\"description\":\"O\",\"type\":\"rate\","
	"\"data\":{\"rate\":\"1/PT1H30M\",\"burst\":1}},"
	"{\"name\":\"few\",\"description\":\"F\",\"type\":\"test-type\","
	"\"data\":{\"types\":[\"few\"]}},"
	"{\"name\":\"idle\",\"description\":\"I\",\"type\":\"test-type\","
	"\"data\":{\"types\":[\"idle\"]}}],"
	"\"applications\":["
	"{\"description\":\"idle\",\"classifier\":\"friends\","
	"\"apply\":[{\"require\":\"all\",\"limits\":[\"known\",\"good\",\"idle\"]}]},"
	"{\"description\":\"few\",\"classifier\":\"friends\","
	"\"apply\":[{\"require\":\"all\",\"limits\":[\"good\",\"few\",\"one\"]}]}],"
	"\"admission\":[{\"name\":\"ranges\",\"plugin\":\"LimitRanger\",\"data\":{\"manifests\":["
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"l\","
	"\"namespace\":\"default\"},\"spec\":{\"limits\":[{\"type\":\"Container\","
	"\"max\":{\"cpu\":\"1\"}}]}}]}},"
	"{\"name\":\"events\",\"plugin\":\"EventRateLimit\",\"data\":{\"limits\":["
	"{\"type\":\"Server\",\"qps\":1,\"burst\":1}]}}]}";

static atomic_uint recorded;

/* In place of the daemon's own; looks at everything, as that does. */
static void
take_record(const record *made)
{
	bool good = made->decision != NULL && made->request != NULL &&
	            made->peer != NULL && made->nanoseconds >= 0 &&
	            endpoint_row(made->endpoint) == made->row;

	atomic_fetch_add(&recorded, good ? 1U : 1000000U);
}

unsigned
ask_recorded(void)
{
	return atomic_exchange(&recorded, 0);
}

static limen_cidr_set *
make_trusted(void)
{
	static const char *const texts[] = { "203.0.113.0/24", "2001:db8:ffff::/48" };
	limen_network networks[2];

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		limen_network_parse(texts[i], strlen(texts[i]), 0, &networks[i]);
	return limen_cidr_set_new(networks, G_N_ELEMENTS(networks), NULL, 0);
}

bool
ask_kit_start(ask_kit *kit, const char *policy)
{
	const limen_engine_options options = { .size = sizeof(options),
		                               .module_path = getenv("LIMEN_MODULE_PATH") };
	limen_diag *diag = limen_diag_new();
	int result;

	recorder_set(take_record);
	*kit = (ask_kit){ .trusted = make_trusted() };
	kit->shared.decider.timeout = 60 * LIMEN_SECOND;
	kit->shared.batch_maximum = 100;
	kit->shared.decider.engine = limen_engine_new(&options);
	result = limen_engine_load_text(kit->shared.decider.engine, "test", policy, strlen(policy), diag);
	if (result != LIMEN_OK)
		limen_diag_write(diag, stderr);
	limen_diag_free(diag);
	ASSERT(result == LIMEN_OK, "the policy does not load");
	if (result != LIMEN_OK)
		ask_kit_stop(kit);
	ask_recorded();
	return result == LIMEN_OK;
}

void
ask_kit_stop(ask_kit *kit)
{
	limen_engine_free(kit->shared.decider.engine);
	limen_cidr_set_free(kit->trusted);
	*kit = (ask_kit){ .trusted = NULL };
}

/* A query is encoded as a form is. */
static void
read_query(GArray *out, char *query)
{
	fault why = { .status = 0 };

	ASSERT(query_read(query, strlen(query), QUERY_MAX, out, &why),
	       "the query of the test is wrong");
	fault_clear(&why);
}

void
ask_send(ask_kit *kit, const ask *sent, ask_answer *out)
{
	const char *body = sent->body == NULL ? "" : sent->body;
	const char *type = sent->type == NULL && !sent->get ? "application/json" : sent->type;
	http_request request = {
		.method = sent->get ? HTTP_GET : HTTP_POST,
		.path = sent->path == NULL ? "/v1/decide" : sent->path,
		.content_type = type != NULL && type[0] == '\0' ? NULL : type,
		.body = body,
		.length = sent->length == 0 ? strlen(body) : sent->length,
		.peer = sent->peer == NULL ? ask_friend : *sent->peer,
		.arrived = limen_host_monotonic() - sent->late,
	};
	char *query = g_strdup(sent->query == NULL ? "" : sent->query);
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(http_pair));

	request.row = endpoint_row(request.path);
	request.peer.trusted = http_trusts(kit->trusted, &request.peer);
	read_query(pairs, query);
	request.arguments = (arguments){ (const http_pair *)(void *)pairs->data, pairs->len };
	*out = (ask_answer){ .holder = limen_request_new(LIMEN_SUBJECT_OBJECT),
		             .response = { .status = 200,
		                           .content_type = "application/json",
		                           .body = g_string_new(NULL) } };
	endpoint_answer(&kit->shared, &request, &out->response);
	g_array_free(pairs, TRUE);
	g_free(query);
	if (limen_request_parse(out->holder, out->response.body->str, out->response.body->len,
	                        NULL) == LIMEN_OK)
		out->json = limen_request_document(out->holder);
}

void
ask_clear(ask_answer *of)
{
	limen_request_free(of->holder);
	http_response_clear(&of->response);
	*of = (ask_answer){ .holder = NULL };
}

char *
ask_member(const ask_answer *of, const char *pointer)
{
	limen_path *path = NULL;
	limen_value found = limen_value_none();

	if (limen_path_new(pointer, strlen(pointer), &path) == LIMEN_OK)
		found = limen_value_find(of->json, path);
	limen_path_free(path);
	return limen_value_to_json(found, 0, NULL);
}

void
ask_check(ask_kit *kit, const char *about, const ask *sent, int status, const char *pointer,
          const char *wanted)
{
	ask_answer got;
	char *text;

	ask_send(kit, sent, &got);
	text = ask_member(&got, pointer);
	ASSERT(got.response.status == status, "%s: status %d, not %d: %s", about,
	       got.response.status, status, got.response.body->str);
	ASSERT(strcmp(text == NULL ? "" : text, wanted) == 0, "%s: %s is %s, not %s", about,
	       pointer, text == NULL ? "not there" : text, wanted);
	ASSERT(limen_value_exists(got.json), "%s: the answer is not JSON: %s", about,
	       got.response.body->str);
	free(text);
	ask_clear(&got);
}
