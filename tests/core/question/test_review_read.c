/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_review_read.c - requests made of AdmissionReviews and of manifests.
 */
#include <limen/question.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char whole_review[] =
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
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, text, strlen(text), NULL), LIMEN_OK);
	return req;
}

/* Reviews need neither version nor uid to be read. */
static int
read_value(limen_value review, limen_request **out, limen_diag *diag)
{
	const limen_question_options how = { .size = sizeof(how), .incomplete = true };

	return limen_review_read(review, &how, out, diag);
}

/* Reads a review and frees everything it was read from. */
static limen_request *
read_review(const char *text)
{
	limen_request *holder = parse_object(text);
	limen_request *req = NULL;

	CU_ASSERT_TRUE(limen_review_is(limen_request_document(holder)));
	read_value(limen_request_document(holder), &req, NULL);
	limen_request_free(holder);
	return req;
}

static const char *
problem_of(const limen_diag *diag)
{
	return limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 1 ? limen_diag_get(diag, 0)->text
	                                                           : "";
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
	limen_request *req = read_review(whole_review);

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	CU_ASSERT_EQUAL(limen_request_subject(req), LIMEN_SUBJECT_OBJECT);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_field(req, rows[i].field, rows[i].text);
	limen_request_free(req);
}

static void
test_documents(void)
{
	limen_request *req = read_review(whole_review);
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
	CU_ASSERT_TRUE(limen_request_is_dry_run(req));
	groups = limen_request_groups(req, &count);
	CU_ASSERT_EQUAL_FATAL(count, 2);
	CU_ASSERT_STRING_EQUAL(groups[0], "dev");
	CU_ASSERT_STRING_EQUAL(groups[1], "ops");
	limen_request_free(req);
}

static void
check_hints(const limen_request *req, const char *wanted)
{
	char *hints = limen_value_to_json(limen_request_hints(req), LIMEN_JSON_SORTED, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(hints);
	CU_ASSERT_STRING_EQUAL(hints, wanted);
	free(hints);
}

static void
test_hints(void)
{
	limen_request *req = read_review(whole_review);
	limen_request *more = parse_object("{\"user\":\"bob\",\"level\":3,\"a\\u0000\":1}");

	CU_ASSERT_PTR_NOT_NULL_FATAL(req);
	check_hints(req, "{\"groups\":[\"dev\",\"ops\"],\"namespace\":\"shop\","
	                 "\"operation\":\"UPDATE\",\"resource\":\"deployments\","
	                 "\"user\":\"ann\"}");
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "requester", "10.0.0.1=x"), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "odd \"n\\ame\"", ""), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hints(req, limen_request_document(more)), LIMEN_OK);
	limen_request_free(more);
	check_hints(req, "{\"groups\":[\"dev\",\"ops\"],\"level\":3,\"namespace\":\"shop\","
	                 "\"odd \\\"n\\\\ame\\\"\":\"\","
	                 "\"operation\":\"UPDATE\",\"requester\":\"10.0.0.1=x\","
	                 "\"resource\":\"deployments\",\"user\":\"bob\"}");
	limen_request_free(req);
}

/* What an object of DELETE looks like, and everything that may be missing. */
static void
test_sparse(void)
{
	static const char *const texts[] = {
		"{\"kind\":\"AdmissionReview\",\"request\":{\"operation\":\"DELETE\"}}",
		"{\"kind\":\"AdmissionReview\",\"request\":{\"operation\":\"DELETE\","
		"\"object\":null,\"oldObject\":null}}",
		"{\"kind\":\"AdmissionReview\",\"request\":{\"operation\":\"DELETE\",\"name\":null,"
		"\"kind\":null,"
		"\"resource\":null,\"userInfo\":{\"username\":null,\"groups\":null},"
		"\"dryRun\":null,\"extra\":7}}",
		"{\"kind\":\"AdmissionReview\",\"request\":{\"operation\":\"DELETE\","
		"\"userInfo\":{\"groups\":[null]}}}",
		/* Within a document the last of repeated members counts. */
		"{\"kind\":\"AdmissionReview\",\"request\":{\"operation\":\"DELETE\","
		"\"oldObject\":{\"a\":1,\"a\":2},\"userInfo\":{\"extra\":{\"a\":1,\"a\":1}}}}",
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
		CU_ASSERT_FALSE(limen_request_is_dry_run(req));
		CU_ASSERT_FALSE(limen_value_exists(limen_request_document(req)));
		limen_request_free(req);
	}
}

/* The caller's dry run is one, whatever the review says: an API server always says it. */
static void
test_dry_run(void)
{
	static const char *const said[] = { "true", "false", "null" };
	limen_question_options how = { .size = sizeof(how), .incomplete = true };

	for (size_t i = 0; i < 6; i++) {
		char text[200];
		limen_request *holder;
		limen_request *req = NULL;

		snprintf(text, sizeof(text),
		         "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\","
		         "\"request\":{\"uid\":\"1\",\"operation\":\"CREATE\",\"dryRun\":%s}}", said[i % 3]);
		holder = parse_object(text);
		how.dry_run = i >= 3;
		CU_ASSERT_EQUAL_FATAL(limen_review_read(limen_request_document(holder), &how, &req,
		                                        NULL), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_request_is_dry_run(req), i == 0 || i >= 3);
		limen_request_free(req);
		limen_request_free(holder);
	}
}

/* What cannot be read is never taken for absent. */
static void
test_faults(void)
{
	static const struct {
		const char *request;
		const char *problem;
	} rows[] = {
		{ "[]", "an AdmissionReview without a 'request'" },
		{ "{\"name\":7}", "request.name: must be a string" },
		{ "{\"name\":\"a\\u0000b\"}", "request.name: must not hold a NUL" },
		{ "{\"uid\":[]}", "request.uid: must be a string" },
		{ "{\"kind\":\"Pod\"}", "request.kind: must be an object" },
		{ "{\"kind\":{\"kind\":1}}", "request.kind.kind: must be a string" },
		{ "{\"resource\":[]}", "request.resource: must be an object" },
		{ "{\"userInfo\":\"ann\"}", "request.userInfo: must be an object" },
		{ "{\"userInfo\":{\"username\":{}}}", "request.userInfo.username: must be a string" },
		{ "{\"userInfo\":{\"groups\":\"dev\"}}", "request.userInfo.groups: must be an array" },
		{ "{\"userInfo\":{\"groups\":[\"a\",1]}}",
		  "request.userInfo.groups[]: must be a string" },
		{ "{\"userInfo\":{\"groups\":[\"\\u0000\"]}}",
		  "request.userInfo.groups[]: must not hold a NUL" },
		{ "{\"operation\":\"CREATE\",\"dryRun\":1}",
		  "request.dryRun: must be true or false" },
		{ "{\"operation\":\"CREATE\",\"object\":[]}",
		  "request.object: must be an object" },
		{ "{\"operation\":\"CREATE\",\"oldObject\":\"x\"}",
		  "request.oldObject: must be an object" },
		{ "{\"operation\":\"CREATE\",\"object\":{\"metadata\":{\"generateName\":\"a\\u0000\"}}}",
		  "request.object.metadata.generateName: must not hold a NUL" },
		{ "{\"operation\":\"CREATE\",\"operation\":\"CREATE\"}",
		  "member 'operation' is repeated; the first is at line 1 column 38" },
		{ "{\"operation\":\"CREATE\"},\"request\":{\"operation\":\"CREATE\"}",
		  "member 'request' is repeated; the first is at line 1 column 27" },
		{ "{\"operation\":\"CREATE\",\n\"userInfo\":{\"username\":\"a\",\"username\":\"b\"}}",
		  "member 'username' is repeated; the first is at line 2 column 13" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_diag *diag = limen_diag_new();
		limen_request *holder, *req = NULL;
		char text[256];

		snprintf(text, sizeof(text), "{\"kind\":\"AdmissionReview\",\"request\":%s}",
		         rows[i].request);
		holder = parse_object(text);
		CU_ASSERT_EQUAL(read_value(limen_request_document(holder), &req, diag), LIMEN_EINVAL);
		CU_ASSERT_PTR_NULL(req);
		CU_ASSERT_PTR_NOT_NULL_FATAL(limen_diag_get(diag, 0));
		CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->text, rows[i].problem);
		limen_diag_free(diag);
		limen_request_free(holder);
	}
	CU_ASSERT_PTR_NULL(read_review("{\"kind\":\"AdmissionReview\"}"));
}

static void
test_odd_manifests(void)
{
	static const struct {
		const char *text;
		const char *problem;
		const char *namespace;
	} rows[] = {
		{ "{\"kind\":3}", "kind: must be a string", "default" },
		{ "{\"apiVersion\":[]}", "apiVersion: must be a string", "default" },
		{ "{\"kind\":\"Pod\\u0000\"}", "kind: must not hold a NUL", "default" },
		{ "{\"metadata\":{\"namespace\":\"a\\u0000\"}}",
		  "metadata.namespace: must not hold a NUL", NULL },
		{ "{\"metadata\":\"x\"}", "metadata: must be an object", NULL },
		{ "{\"metadata\":[{\"namespace\":\"a\"}]}", "metadata: must be an object", NULL },
		{ "{\"metadata\":{\"name\":[]}}", "metadata.name: must be a string", "default" },
		{ "{\"metadata\":{\"generateName\":\"\\u0000\"}}",
		  "metadata.generateName: must not hold a NUL", "default" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_request *req = parse_object(rows[i].text);
		limen_diag *diag = limen_diag_new();

		CU_ASSERT_EQUAL(limen_request_describe(req, NULL, NULL, NULL, diag), LIMEN_EINVAL);
		check_field(req, LIMEN_FIELD_OPERATION, "CREATE");
		check_field(req, LIMEN_FIELD_NAMESPACE, rows[i].namespace);
		CU_ASSERT_STRING_EQUAL(problem_of(diag), rows[i].problem);
		limen_diag_free(diag);
		limen_request_free(req);
	}
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
		{ "{\"kind\":null,\"metadata\":null}", NULL, NULL, NULL, NULL, "default" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_request *req = parse_object(rows[i].text);

		CU_ASSERT_FALSE(limen_review_is(limen_request_document(req)));
		CU_ASSERT_EQUAL(limen_request_describe(req, NULL, NULL, rows[i].namespace, NULL),
		                LIMEN_OK);
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

/* A review that is to be answered has a version and a uid. */
static void
test_answerable(void)
{
	static const struct {
		const char *text;
		const char *version; /* NULL: it is refused */
	} rows[] = {
		{ "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
		  "\"request\":{\"uid\":\"u\",\"operation\":\"DELETE\"}}", "admission.k8s.io/v1" },
		{ "{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\","
		  "\"request\":{\"uid\":\"u\",\"operation\":\"DELETE\"}}",
		  "admission.k8s.io/v1beta1" },
		{ "{\"apiVersion\":\"admission.k8s.io/v2\",\"kind\":\"AdmissionReview\","
		  "\"request\":{\"uid\":\"u\",\"operation\":\"DELETE\"}}", NULL },
		{ "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
		  "\"request\":{\"uid\":\"\",\"operation\":\"DELETE\"}}", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_request *holder = parse_object(rows[i].text);
		limen_request *req = NULL;

		CU_ASSERT_EQUAL(limen_review_read(limen_request_document(holder), NULL, &req, NULL),
		                rows[i].version == NULL ? LIMEN_EINVAL : LIMEN_OK);
		CU_ASSERT_EQUAL(req == NULL, rows[i].version == NULL);
		if (req != NULL)
			CU_ASSERT_STRING_EQUAL(limen_request_review_version(req), rows[i].version);
		limen_request_free(req);
		limen_request_free(holder);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every field of an AdmissionReview", test_fields },
		{ "its objects, groups and dry run", test_documents },
		{ "its hints, and those added to them", test_hints },
		{ "what may be missing", test_sparse },
		{ "a dry run by the caller, by the review, and by both", test_dry_run },
		{ "what is of another type or holds a NUL is a fault", test_faults },
		{ "so it is in a manifest", test_odd_manifests },
		{ "manifests", test_manifests },
		{ "what can be answered", test_answerable },
		{ NULL, NULL },
	};

	return suite_run("core/review_read", tests);
}
