/* SPDX-License-Identifier: Apache-2.0 */
#include "observed.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

const char observed_policy[] =
	"{\"schema\": 4,"
	" \"identifiers\": ["
	"  {\"name\": \"all\", \"description\": \"\", \"type\": \"always\", \"data\": {}},"
	"  {\"name\": \"bad\", \"description\": \"\", \"type\": \"ip-cidr-list\","
	"   \"data\": {\"cidrs\": [\"192.0.2.9/32\"]}}],"
	" \"classifiers\": [{\"name\": \"everyone\", \"description\": \"\","
	"   \"identifiers\": [\"all\"]},"
	"  {\"name\": \"hostile\", \"description\": \"\", \"identifiers\": [\"bad\"]}],"
	" \"limits\": [{\"name\": \"closed\", \"type\": \"pass-fail\","
	"   \"data\": {\"pass\": false}},"
	"  {\"name\": \"open\", \"type\": \"pass-fail\", \"data\": {\"pass\": true}}],"
	" \"applications\": ["
	"  {\"description\": \"no\", \"classifier\": \"hostile\", \"stop-on-failure\": true,"
	"   \"apply\": [{\"require\": \"all\", \"limits\": [\"closed\"]}]},"
	"  {\"description\": \"yes\", \"classifier\": \"everyone\","
	"   \"apply\": [{\"require\": \"all\", \"limits\": [\"open\"]}]}],"
	" \"admission\": [{\"name\": \"events\", \"plugin\": \"EventRateLimit\", \"data\":"
	"  {\"limits\": [{\"type\": \"User\", \"qps\": 1, \"burst\": 2, \"cacheSize\": 100}]}}]}";

void
observed_start(service *shared, const char *policy, size_t top)
{
	limen_engine_options options = { .size = sizeof(options),
		                         .module_path = getenv("LIMEN_MODULE_PATH") };
	limen_diag *diag = limen_diag_new();

	memset(shared, 0, sizeof(*shared));
	shared->decider.engine = limen_engine_new(&options);
	if (policy != NULL && limen_engine_load_text(shared->decider.engine, "policy", policy,
	                                             strlen(policy), diag) != LIMEN_OK) {
		CU_FAIL("the policy does not load");
		g_printerr("%s\n", limen_diag_get(diag, 0)->text);
	}
	limen_diag_free(diag);
	shared->decider.metrics = endpoint_metrics(top, 200);
	shared->observer = observer_new(shared->decider.engine);
	if (policy != NULL)
		metrics_count_reload(shared->decider.metrics, true);
	shared->started = limen_host_monotonic();
}

void
observed_stop(service *shared)
{
	observer_free(shared->observer);
	metrics_free(shared->decider.metrics);
	limen_engine_free(shared->decider.engine);
}

limen_request *
observed_event(const char *user)
{
	static const char text[] =
		"{\"apiVersion\": \"v1\", \"kind\": \"Event\", \"metadata\": {\"name\": \"e\","
		" \"namespace\": \"n\"}, \"source\": {\"component\": \"kube/let\","
		" \"host\": \"node1\"}, \"involvedObject\": {\"kind\": \"Pod\","
		" \"namespace\": \"n\", \"name\": \"p\", \"uid\": \"u1\"},"
		" \"type\": \"Warning\", \"reason\": \"BackOff\"}";
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);

	limen_request_parse(req, text, sizeof(text) - 1, NULL);
	limen_request_set_field(req, LIMEN_FIELD_UID, "id-1");
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_field(req, LIMEN_FIELD_KIND, "Event");
	limen_request_set_field(req, LIMEN_FIELD_VERSION, "v1");
	limen_request_set_field(req, LIMEN_FIELD_GROUP, "");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "events");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE_GROUP, "");
	limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, "n");
	limen_request_set_field(req, LIMEN_FIELD_NAME, "e");
	limen_request_set_field(req, LIMEN_FIELD_USER, user);
	limen_request_add_group(req, "system:nodes");
	limen_request_set_now(req, (limen_time)1700000000 * LIMEN_SECOND);
	return req;
}

limen_request *
observed_task(const char *requester)
{
	static const char text[] = "{\"test\": {\"type\": \"rtt\", \"spec\": {}}}";
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	limen_request_parse(req, text, sizeof(text) - 1, NULL);
	limen_request_set_hint(req, "requester", requester);
	return req;
}

int
observed_decide(service *shared, const char *from, limen_request *req,
                int64_t nanoseconds)
{
	const http_request request = { .path = from, .row = endpoint_row(from), .peer = { .address = "198.51.100.7" } };
	const deciding item = { .request = req };
	limen_decision *decision = NULL;
	int code;

	if (limen_engine_decide(shared->decider.engine, req, NULL, &decision) != LIMEN_OK)
		return 0;
	deciding_record(&shared->decider, &request, &item, decision, nanoseconds);
	code = limen_decision_code(decision);
	limen_decision_free(decision);
	return code;
}

GString *
observed_get(service *shared, const char *path, const char *argument, int *status)
{
	http_pair pair = { .name = argument, .value = "" };
	http_request request = {
		.method = HTTP_GET,
		.path = path,
		.row = endpoint_row(path),
		.arguments = { &pair, argument == NULL ? 0 : 1 },
		.body = "",
	};
	http_response response = {
		.status = 200,
		.content_type = "application/json",
		.body = g_string_new(NULL),
	};

	endpoint_answer(shared, &request, &response);
	*status = response.status;
	return response.body;
}

char *
observed_read(const char *path)
{
	char *text = NULL;

	CU_ASSERT(g_file_get_contents(path, &text, NULL, NULL));
	return text == NULL ? g_strdup("") : text;
}

char *
observed_directory(void)
{
	char *name = g_dir_make_tmp("limen-observed-XXXXXX", NULL);

	if (name == NULL)
		g_error("cannot make a directory");
	return name;
}
