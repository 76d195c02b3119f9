/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_scope.c - which requests are looked at, and what of an
 * update (LimitRanger, SupportsAttributes; Kubernetes 142170 and 142171).
 */
#include "ranger_case.h"

#define REFUSED "minimum cpu usage per Pod is 1, but request is 0"
#define EMPTY_POD POD(CONTAINER("c", "{\"requests\":{\"cpu\":0}}"))
#define DELETED \
	"{\"kind\":\"Pod\",\"metadata\":{\"deletionTimestamp\":\"2024-01-01T00:00:00Z\"}}"
#define MAYBE_DELETED(time) "{\"kind\":\"Pod\",\"metadata\":{\"deletionTimestamp\":" time "}}"
#define NOT_DELETED "{\"kind\":\"Pod\",\"metadata\":{\"deletionTimestamp\":null}}"

#define CHANGED "\"updates\":\"changed\""

struct scope_case {
	const char *about;
	struct ranger_envelope envelope;
	const char *message;
};

static limen_engine *
open_min(const char *options)
{
	return ranger_open(options, RANGE("r", "{\"type\":\"Pod\",\"min\":{\"cpu\":1}}"));
}

static void
test_requests(void)
{
	static const struct scope_case cases[] = {
		{ "create", { .operation = "CREATE", .kind = "Pod" }, REFUSED },
		{ "update", { .operation = "UPDATE", .kind = "Pod" }, "" },
		{ "delete", { .operation = "DELETE", .kind = "Pod" }, "" },
		{ "connect", { .operation = "CONNECT", .kind = "Pod" }, "" },
		{ "an operation to come", { .operation = "PATCH", .kind = "Pod" }, "" },
		{ "no operation", { .kind = "Pod" }, REFUSED },
		{ "the core's group", { .operation = "CREATE", .kind = "Pod", .group = "" },
		  REFUSED },
		{ "another group", { .operation = "CREATE", .kind = "Pod", .group = "a" }, "" },
		{ "another kind", { .operation = "CREATE", .kind = "Deployment" }, "" },
		{ "resize", { .operation = "UPDATE", .kind = "Pod", .subresource = "resize" },
		  REFUSED },
		{ "create resize",
		  { .operation = "CREATE", .kind = "Pod", .subresource = "resize" }, "" },
		{ "status", { .operation = "UPDATE", .kind = "Pod", .subresource = "status" }, "" },
		{ "ephemeral containers",
		  { .operation = "UPDATE", .kind = "Pod", .subresource = "ephemeralcontainers" },
		  "" },
		{ "binding", { .operation = "CREATE", .kind = "Binding", .subresource = "binding" },
		  "" },
		{ "being deleted",
		  { .operation = "UPDATE", .kind = "Pod", .subresource = "resize", .old = DELETED },
		  "" },
		{ "not being deleted",
		  { .operation = "UPDATE", .kind = "Pod", .subresource = "resize",
		    .old = NOT_DELETED },
		  REFUSED },
		{ "a malformed time of deletion",
		  { .operation = "UPDATE", .kind = "Pod", .subresource = "resize",
		    .old = MAYBE_DELETED("\"soon\"") },
		  REFUSED },
		{ "a time of deletion without a zone",
		  { .operation = "UPDATE", .kind = "Pod", .subresource = "resize",
		    .old = MAYBE_DELETED("\"2024-01-01T00:00:00\"") },
		  REFUSED },
		{ "a time of deletion of another type",
		  { .operation = "UPDATE", .kind = "Pod", .subresource = "resize",
		    .old = MAYBE_DELETED("{}") },
		  REFUSED },
		{ "its namespace", { .operation = "CREATE", .namespace = "default" }, REFUSED },
		{ "another namespace", { .operation = "CREATE", .namespace = "other" }, "" },
		{ "an empty namespace", { .operation = "CREATE", .namespace = "" }, REFUSED },
	};
	limen_engine *engine = open_min("");

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ranger_check(engine, cases[i].about, EMPTY_POD, &cases[i].envelope,
		             cases[i].message);
	limen_engine_free(engine);
}

/* Without an envelope the object says what it is; if it does not, nobody can tell. */
static void
test_objects(void)
{
	static const struct {
		const char *object;
		const char *message;
	} cases[] = {
		{ EMPTY_POD, REFUSED },
		{ "{\"kind\":\"Pod\",\"apiVersion\":\"v2\",\"spec\":{}}", "" },
		{ "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"other\"}}", "" },
		{ "{\"kind\":\"Service\"}", "" },
		{ "{}", "admission entry 'ranger' cannot tell: the kind of the object is not "
		        "known" },
		{ "{\"kind\":1}",
		  "admission entry 'ranger' cannot tell: the kind of the object is not known" },
		{ "{\"kind\":\"Pod\",\"apiVersion\":1}",
		  "admission entry 'ranger' cannot tell: the kind of the object is not known" },
		{ "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":1}}",
		  "admission entry 'ranger' cannot tell: the namespace of the object is not "
		  "known" },
		{ "{\"kind\":\"Pod\",\"metadata\":[]}",
		  "admission entry 'ranger' cannot tell: the namespace of the object is not "
		  "known" },
	};
	limen_engine *engine = open_min("");

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ranger_check(engine, cases[i].object, cases[i].object, NULL, cases[i].message);
	limen_engine_free(engine);
}

static void
test_namespace_option(void)
{
	limen_engine *engine = open_min("\"namespace\":\"team\"");

	ranger_check(engine, "team", EMPTY_POD, &(struct ranger_envelope){ .namespace = "team" },
	             REFUSED);
	ranger_check(engine, "default", EMPTY_POD,
	             &(struct ranger_envelope){ .namespace = "default" }, "");
	ranger_check(engine, "none", EMPTY_POD, NULL, REFUSED);
	limen_engine_free(engine);
}

#define MIRROR                                                                           \
	"{\"kind\":\"Pod\",\"metadata\":{\"annotations\":{\"kubernetes.io/config.mirror\":" \
	"\"x\"}},\"spec\":{\"containers\":[{\"resources\":{\"requests\":{\"cpu\":0}}}]}}"

static void
test_mirror_pods(void)
{
	const struct ranger_envelope kubelet = { .user_group = "system:nodes" };
	const struct ranger_envelope somebody = { .user_group = "system:authenticated" };
	limen_engine *upstream = open_min("");
	limen_engine *exempt = open_min("\"mirror-pods\":\"exempt\"");

	ranger_check(upstream, "as upstream", MIRROR, &kubelet, REFUSED);
	ranger_check(exempt, "exempt", MIRROR, &kubelet, "");
	ranger_check(exempt, "the annotation alone", MIRROR, &somebody, REFUSED);
	ranger_check(exempt, "the group alone", EMPTY_POD, &kubelet, REFUSED);
	limen_engine_free(upstream);
	limen_engine_free(exempt);
}

/* ---- updates ---- */

#define RES(request, limit) "{\"requests\":{" request "},\"limits\":{" limit "}}"
#define CPU(value) "\"cpu\":\"" value "\""

struct update_case {
	const char *about;
	const char *old;
	const char *object;
	const char *message;
};

static void
check_updates(limen_engine *engine, const char *kind, const char *subresource,
              const struct update_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct ranger_envelope envelope = {
			.operation = "UPDATE",
			.kind = kind,
			.subresource = subresource,
			.old = cases[i].old,
		};

		ranger_check(engine, cases[i].about, cases[i].object, &envelope, cases[i].message);
	}
	limen_engine_free(engine);
}

static void
test_resize(void)
{
	static const struct update_case cases[] = {
		{ "both unchanged", POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  POD(CONTAINER("a", RES(CPU("5000m"), CPU("5")))), "" },
		{ "the limit changes", POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  POD(CONTAINER("a", RES(CPU("5"), CPU("6")))),
		  "maximum cpu usage per Container is 2, but limit is 6" },
		{ "the request changes", POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  POD(CONTAINER("a", RES(CPU("4"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 5" },
		{ "absent in both", POD(CONTAINER("a", RES("", ""))),
		  POD(CONTAINER("a", RES("", ""))), "" },
		{ "removed", POD(CONTAINER("a", RES("", CPU("1")))),
		  POD(CONTAINER("a", RES("", ""))),
		  "maximum cpu usage per Container is 2.  No limit is specified" },
		{ "another container",
		  POD(CONTAINER("a", RES(CPU("5"), CPU("5"))) ","
		      CONTAINER("b", RES(CPU("1"), CPU("1")))),
		  POD(CONTAINER("b", RES(CPU("3"), CPU("3"))) ","
		      CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 3" },
		{ "a container that was not there", POD(CONTAINER("a", RES(CPU("1"), CPU("1")))),
		  POD(CONTAINER("b", RES(CPU("5"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 5" },
		{ "an init container of that name",
		  "{\"kind\":\"Pod\",\"spec\":{\"containers\":[{}],\"initContainers\":["
		  CONTAINER("b", RES(CPU("5"), CPU("5"))) "]}}",
		  POD(CONTAINER("b", RES(CPU("5"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 5" },
		{ "an old pod that is none", "{\"spec\":{\"containers\":1}}",
		  POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 5" },
		{ "no old pod", "null", POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 5" },
	};

	check_updates(ranger_open("\"defaulting\":\"none\"," CHANGED,
	                          RANGE("r", "{\"type\":\"Container\",\"max\":{\"cpu\":2}}")),
	              "Pod", "resize", cases, sizeof cases / sizeof cases[0]);
}

static void
test_resize_totals(void)
{
	static const struct update_case cases[] = {
		{ "the same total, otherwise shared",
		  POD(CONTAINER("a", RES("", CPU("3"))) "," CONTAINER("b", RES("", CPU("1")))),
		  POD(CONTAINER("a", RES("", CPU("2"))) "," CONTAINER("b", RES("", CPU("2")))),
		  "" },
		{ "a smaller total that is still too large",
		  POD(CONTAINER("a", RES("", CPU("5")))), POD(CONTAINER("a", RES("", CPU("4")))),
		  "maximum cpu usage per Pod is 2, but limit is 4" },
		{ "the request of the total changes", POD(CONTAINER("a", RES(CPU("1"), CPU("5")))),
		  POD(CONTAINER("a", RES(CPU("2"), CPU("5")))),
		  "maximum cpu usage per Pod is 2, but limit is 5" },
	};

	check_updates(ranger_open(CHANGED, RANGE("r", "{\"type\":\"Pod\",\"max\":{\"cpu\":2}}")),
	              "Pod", "resize", cases, sizeof cases / sizeof cases[0]);
}

/* A resize fills in what is missing, as upstream. */
static void
test_resize_defaults(void)
{
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Container\",\"defaultRequest\":{\"cpu\":1}}"));
	const struct ranger_envelope envelope = {
		.operation = "UPDATE",
		.kind = "Pod",
		.subresource = "resize",
		.old = POD(CONTAINER("a", "{}")),
	};
	limen_decision *decision =
		ranger_decide(engine, POD(CONTAINER("a", "{}")), &envelope);

	CU_ASSERT_EQUAL(limen_value_count(limen_decision_patch(decision)), 2);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

#define CLAIM(requests)                                                                     \
	"{\"kind\":\"PersistentVolumeClaim\",\"spec\":{\"resources\":{\"requests\":{" requests \
	"}}}}"
#define STORAGE(value) CLAIM("\"storage\":\"" value "\"")

static void
test_claims(void)
{
	static const struct update_case cases[] = {
		{ "unchanged, otherwise written", STORAGE("20Gi"), STORAGE("20480Mi"), "" },
		{ "grown", STORAGE("20Gi"), STORAGE("21Gi"),
		  "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 21Gi" },
		{ "within", STORAGE("20Gi"), STORAGE("10Gi"), "" },
		{ "removed", STORAGE("1Gi"), CLAIM(""),
		  "maximum storage usage per PersistentVolumeClaim is 10Gi.  No request is "
		  "specified" },
		{ "never there", CLAIM(""), CLAIM(""),
		  "maximum storage usage per PersistentVolumeClaim is 10Gi.  No request is "
		  "specified" },
		{ "an old claim that is none", "{\"spec\":1}", STORAGE("20Gi"),
		  "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi" },
		{ "no old claim", "null", STORAGE("20Gi"),
		  "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi" },
	};

	check_updates(ranger_open(CHANGED, RANGE("r", "{\"type\":\"PersistentVolumeClaim\",\"max\":"
	                                         "{\"storage\":\"10Gi\"}}")),
	              "PersistentVolumeClaim", NULL, cases, sizeof cases / sizeof cases[0]);
}

/* The answers of kube-apiserver 1.36.2. */
static void
test_all_values(void)
{
	static const struct update_case resizes[] = {
		{ "both unchanged", POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  POD(CONTAINER("a", RES(CPU("5"), CPU("5")))),
		  "maximum cpu usage per Container is 2, but limit is 5\n"
		  "maximum cpu usage per Pod is 2, but limit is 5" },
	};
	static const struct update_case claims[] = {
		{ "unchanged", STORAGE("20Gi"), STORAGE("20Gi"),
		  "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi" },
		{ "less", STORAGE("20Gi"), STORAGE("10Gi"), "" },
	};

	check_updates(ranger_open("", RANGE("r", "{\"type\":\"Container\",\"max\":{\"cpu\":2}},"
	                                         "{\"type\":\"Pod\",\"max\":{\"cpu\":2}}")),
	              "Pod", "resize", resizes, sizeof resizes / sizeof resizes[0]);
	check_updates(ranger_open("\"updates\":\"all\"",
	                          RANGE("r", "{\"type\":\"PersistentVolumeClaim\",\"max\":{"
	                                     "\"storage\":\"10Gi\"}}")),
	              "PersistentVolumeClaim", NULL, claims, sizeof claims / sizeof claims[0]);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "operations, kinds, subresources, namespaces", test_requests },
		{ "objects without an envelope", test_objects },
		{ "the namespace of what names none", test_namespace_option },
		{ "mirror pods", test_mirror_pods },
		{ "a resize is held against what it changes", test_resize },
		{ "a resize, and totals of pods", test_resize_totals },
		{ "a resize, and defaults", test_resize_defaults },
		{ "updates of claims", test_claims },
		{ "updates of values that stay equal", test_all_values },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_scope", tests);
}
