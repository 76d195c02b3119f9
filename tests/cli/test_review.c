/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_review.c - what "limen check" makes of AdmissionReviews and manifests.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/hints.h"
#include "../common/review.h"
#include "suite.h"

static const char review_text[] =
	"{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{"
	"\"uid\":\"u-1\",\"kind\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},"
	"\"resource\":{\"group\":\"apps\",\"version\":\"v1\",\"resource\":\"deployments\"},"
	"\"subResource\":\"scale\","
	"\"requestKind\":{\"group\":\"old\",\"version\":\"v0\",\"kind\":\"Deploy\"},"
	"\"name\":\"web\",\"namespace\":\"shop\",\"operation\":\"UPDATE\","
	"\"userInfo\":{\"username\":\"ann\",\"groups\":[\"dev\",\"ops\"]},"
	"\"object\":{\"#\":\"kept\",\"metadata\":{\"generateName\":\"web-\"},\"spec\":2},"
	"\"oldObject\":{\"spec\":1},\"dryRun\":true}}";

static limen_request *
parse_object(const char *text)
{
	limen_request *req = limen_request_new(LIMEN_OBJECT);

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, text, strlen(text), NULL), LIMEN_OK);
	return req;
}

/* Reads a review and frees everything it was read from. */
static limen_request *
read_review(const char *text)
{
	limen_request *holder = parse_object(text);
	limen_request *req;
	char *why = NULL;

	CU_ASSERT_TRUE(review_is(limen_request_document(holder)));
	req = review_read(limen_request_document(holder), NULL, &why);
	limen_request_free(holder);
	g_free(why);
	return req;
}

static void
check_field(const limen_request *req, limen_field field, const char *wanted)
{
	const char *text = limen_request_field(req, field);

	if (wanted == NULL) {
		CU_ASSERT_PTR_NULL(text);
		return;
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_STRING_EQUAL(text, wanted);
}

static void
test_fields(void)
{
	static const struct {
		limen_field field;
		const char *text;
	} rows[] = {
		{ LIMEN_FIELD_UID, "u-1" },
		{ LIMEN_FIELD_USER, "ann" },
		{ LIMEN_FIELD_OPERATION, "UPDATE" },
		{ LIMEN_FIELD_NAMESPACE, "shop" },
		{ LIMEN_FIELD_NAME, "web" },
		{ LIMEN_FIELD_GENERATE_NAME, "web-" },
		{ LIMEN_FIELD_GROUP, "apps" },
		{ LIMEN_FIELD_VERSION, "v1" },
		{ LIMEN_FIELD_KIND, "Deployment" },
		{ LIMEN_FIELD_REQUESTED_GROUP, "old" },
		{ LIMEN_FIELD_REQUESTED_VERSION, "v0" },
		{ LIMEN_FIELD_REQUESTED_KIND, "Deploy" },
		{ LIMEN_FIELD_RESOURCE_GROUP, "apps" },
		{ LIMEN_FIELD_RESOURCE_VERSION, "v1" },
		{ LIMEN_FIELD_RESOURCE, "deployments" },
		{ LIMEN_FIELD_SUBRESOURCE, "scale" },
	};
	limen_request *req = read_review(review_text);

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	CU_ASSERT_EQUAL(limen_request_subject(req), LIMEN_OBJECT);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_field(req, rows[i].field, rows[i].text);
	limen_request_free(req);
}

static void
test_documents(void)
{
	limen_request *req = read_review(review_text);
	const char *const *groups;
	size_t count = 0;
	int64_t spec = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	CU_ASSERT_TRUE(limen_value_int(limen_value_get(limen_request_document(req), "spec"),
	                               &spec));
	CU_ASSERT_EQUAL(spec, 2);
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(limen_request_document(req), "#"), "kept"));
	CU_ASSERT_TRUE(limen_value_int(limen_value_get(limen_request_old(req), "spec"), &spec));
	CU_ASSERT_EQUAL(spec, 1);
	CU_ASSERT_TRUE(limen_request_dry_run(req));
	groups = limen_request_groups(req, &count);
	CU_ASSERT_EQUAL_FATAL(count, 2);
	CU_ASSERT_STRING_EQUAL(groups[0], "dev");
	CU_ASSERT_STRING_EQUAL(groups[1], "ops");
	limen_request_free(req);
}

static void
check_hints(const limen_request *req, const char *wanted)
{
	char *hints = limen_value_print(limen_request_hints(req), LIMEN_PRINT_SORTED, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(hints);
	CU_ASSERT_STRING_EQUAL(hints, wanted);
	free(hints);
}

static void
test_hints(void)
{
	limen_request *req = read_review(review_text);
	limen_request *more = parse_object("{\"user\":\"bob\",\"level\":3}");

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	check_hints(req, "{\"groups\":[\"dev\",\"ops\"],\"namespace\":\"shop\","
	                 "\"operation\":\"UPDATE\",\"resource\":\"deployments\","
	                 "\"user\":\"ann\"}");
	CU_ASSERT_TRUE(hints_add_text(req, "requester=10.0.0.1=x"));
	CU_ASSERT_TRUE(hints_add(req, limen_request_document(more)));
	limen_request_free(more);
	check_hints(req, "{\"groups\":[\"dev\",\"ops\"],\"level\":3,\"namespace\":\"shop\","
	                 "\"operation\":\"UPDATE\",\"requester\":\"10.0.0.1=x\","
	                 "\"resource\":\"deployments\",\"user\":\"bob\"}");
	limen_request_free(req);
}

/* What an object of DELETE looks like, and everything that may be missing or odd. */
static void
test_sparse(void)
{
	static const char *const texts[] = {
		"{\"kind\":\"AdmissionReview\",\"request\":{}}",
		"{\"kind\":\"AdmissionReview\",\"request\":{\"object\":null,\"oldObject\":null}}",
		"{\"kind\":\"AdmissionReview\",\"request\":{\"name\":7,\"kind\":\"Pod\","
		"\"resource\":[],\"userInfo\":{\"username\":{},\"groups\":\"dev\"},\"dryRun\":1}}",
		"{\"kind\":\"AdmissionReview\",\"request\":{\"userInfo\":{\"groups\":[]},"
		"\"name\":\"a\\u0000b\"}}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		limen_request *req = read_review(texts[i]);
		size_t count = 1;

		CU_ASSERT_PTR_NOT_NULL_FATAL(req);
		check_field(req, LIMEN_FIELD_NAME, NULL);
		check_field(req, LIMEN_FIELD_USER, NULL);
		check_field(req, LIMEN_FIELD_RESOURCE, NULL);
		limen_request_groups(req, &count);
		CU_ASSERT_EQUAL(count, 0);
		CU_ASSERT_FALSE(limen_request_dry_run(req));
		CU_ASSERT_FALSE(limen_value_exists(limen_request_document(req)));
		limen_request_free(req);
	}
	CU_ASSERT_PTR_NULL(read_review("{\"kind\":\"AdmissionReview\"}"));
	CU_ASSERT_PTR_NULL(read_review("{\"kind\":\"AdmissionReview\",\"request\":[]}"));
}

static void
test_manifests(void)
{
	static const struct {
		const char *text;
		const char *namespace; /* given on the command line */
		const char *group, *version, *resource, *wanted; /* wanted: the namespace */
	} rows[] = {
		{ "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", NULL, "", "v1", "pods", "default" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "shop", "", "v1", "pods", "shop" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\","
		  "\"metadata\":{\"namespace\":\"a\"}}",
		  "shop", "", "v1", "persistentvolumeclaims", "a" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"Endpoints\","
		  "\"metadata\":{\"namespace\":\"\"}}",
		  NULL, "", "v1", "endpoints", "default" },
		{ "{\"apiVersion\":\"networking.k8s.io/v1\",\"kind\":\"Ingress\"}", NULL,
		  "networking.k8s.io", "v1", "ingresses", "default" },
		{ "{\"apiVersion\":\"networking.k8s.io/v1\",\"kind\":\"NetworkPolicy\"}", NULL,
		  "networking.k8s.io", "v1", "networkpolicies", "default" },
		{ "{\"kind\":3,\"apiVersion\":[],\"metadata\":\"x\"}", NULL, NULL, NULL, NULL,
		  "default" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_request *req = parse_object(rows[i].text);

		CU_ASSERT_FALSE(review_is(limen_request_document(req)));
		CU_ASSERT_TRUE(review_describe_manifest(req, rows[i].namespace));
		check_field(req, LIMEN_FIELD_GROUP, rows[i].group);
		check_field(req, LIMEN_FIELD_VERSION, rows[i].version);
		check_field(req, LIMEN_FIELD_RESOURCE, rows[i].resource);
		check_field(req, LIMEN_FIELD_RESOURCE_GROUP, rows[i].group);
		check_field(req, LIMEN_FIELD_RESOURCE_VERSION, rows[i].version);
		check_field(req, LIMEN_FIELD_NAMESPACE, rows[i].wanted);
		check_field(req, LIMEN_FIELD_OPERATION, "CREATE");
		limen_request_free(req);
	}
}

static void
test_hint_arguments(void)
{
	static const struct {
		const char *text;
		bool good;
	} rows[] = {
		{ "a=b", true },
		{ "a=", true },
		{ "a==", true },
		{ "\303\244=\303\266", true },
		{ "", false },
		{ "=", false },
		{ "=b", false },
		{ "a", false },
		{ "a=\377", false },
		{ "\300\200=b", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CU_ASSERT_EQUAL(hints_check(rows[i].text), rows[i].good);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "every field of an AdmissionReview", test_fields },
		{ "its objects, groups and dry run", test_documents },
		{ "its hints, and those added to them", test_hints },
		{ "what may be missing or of another type", test_sparse },
		{ "manifests", test_manifests },
		{ "hints as arguments", test_hint_arguments },
		{ NULL, NULL },
	};

	return suite_run("cli/review", tests);
}
