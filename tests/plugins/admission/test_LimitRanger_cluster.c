/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_cluster.c - the option "cluster": what is decided while the
 * LimitRanges of a cluster change, and while its API server is away.
 */
#include <poll.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "ranger_cluster.h"

static void
test_changes(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	kube_server_tell(server, "fill 20");
	kube_server_tell(server, "page 7");
	engine = open_cluster("", "");
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, SECONDS * LIMEN_SECOND));
	ranger_check(engine, "listed", TWO, &in_default, SAID("1"));
	ranger_check(engine, "not this one", TWO, &in_other, "");
	wait_for_status(engine, "\"objects\":21");
	wait_for_status(engine, "\"synced\":true");
	put("other", "b", MAX("1500m"));
	wait_for(engine, "added", &in_other, SAID("1500m"));
	put("other", "b", MAX("1200m"));
	wait_for(engine, "modified", &in_other, SAID("1200m"));
	kube_server_tell(server, "delete other b");
	wait_for(engine, "deleted", &in_other, "");
	put("default", "A", MAX("1800m"));
	wait_for(engine, "a name that limen would refuse", &in_default, SAID("1800m"));
	wait_for_status(engine, "\"broken\":0");
	kube_server_tell(server, "delete default A");
	wait_for(engine, "the rest counts again", &in_default, SAID("1"));
	limen_engine_free(engine);
}

static void
test_order(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "b", MAX("1"));
	put("default", "a", MAX("1500m"));
	engine = open_cluster("", ",\"report\":\"all\"");
	wait_for(engine, "by name", &in_default, SAID("1500m") "\n" SAID("1"));
	limen_engine_free(engine);
}

/* Tells the server of a LimitRange of 'size' bytes or a few more, all of which count. */
static void
put_large(const char *namespace, const char *name, size_t size)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		abort();
	fputs("{\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"", out);
	for (unsigned i = 0; ftell(out) < (long)size; i++)
		fprintf(out, ",\"example.com/r%u\":\"1\"", i);
	fputs("}}]}}", out);
	if (fclose(out) != 0)
		abort();
	put(namespace, name, text);
	free(text);
}

#define TOO_MUCH TELL "the namespace \"other\" has more than 256 KiB of LimitRanges"

/* A namespace with too much is refused alone: no tenant holds up another one. */
static void
test_large(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	put_large("other", "b", 257 << 10);
	put("third", "c", "{\"metadata\":{\"managedFields\":[1,2,3]},\"spec\":{}}");
	engine = open_cluster("", "");
	wait_for(engine, "its own", &in_other, TOO_MUCH);
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, 10 * LIMEN_SECOND));
	wait_for_status(engine, "\"broken\":1");
	ranger_check(engine, "others are decided", TWO, &in_default, SAID("1"));
	put("other", "b", MAX("1200m"));
	wait_for(engine, "mended", &in_other, SAID("1200m"));
	limen_engine_free(engine);
}

/* More than there is room for, and less without three of them. */
enum { CROWD = 6, CROWD_LESS = 3, CROWD_SIZE = 60 << 10 };

/* All say the same; what makes them long is for nobody. */
static void
crowd_into(const char *namespace, unsigned first, unsigned end)
{
	static char filling[CROWD_SIZE + 1];

	memset(filling, 'x', CROWD_SIZE);
	for (unsigned i = first; i < end; i++)
		kube_server_tell(server, "put %s a%u {\"spec\":{\"limits\":[{\"type\":\"Pod\","
		                 "\"max\":{\"cpu\":\"1\"}}],\"filling\":\"%s\"}}", namespace,
		                 100 + i, filling);
}

static void
make_way(void)
{
	for (unsigned i = CROWD - CROWD_LESS; i < CROWD; i++)
		kube_server_tell(server, "delete other a%u", 100 + i);
}

/* It is refused no longer than it has too much, but lists are not for nothing. */
static void
check_crowd(const char *more, const char *lists, const char *lists_again)
{
	limen_engine *engine;

	put("default", "a", MAX("1"));
	crowd_into("other", 0, CROWD);
	atomic_store(&named_lines, 0);
	engine = open_cluster(more, "");
	wait_for(engine, "it has too much", &in_other, TOO_MUCH);
	ranger_check(engine, "others are decided", TWO, &in_default, SAID("1"));
	wait_for_status(engine, "\"namespacesCrowdedOut\":1");
	wait_for_status(engine, lists);
	ASSERT(atomic_load(&named_lines) == 1, "the log has %u lines", atomic_load(&named_lines));
	make_way();
	/* A list may come before all of them are gone, and the next one only a minute later. */
	wait_for_status(engine, lists_again);
	put("default", "a", MAX("1200m"));
	wait_for(engine, "what comes after it", &in_default, SAID("1200m"));
	limen_engine_free(engine);
}

static void
test_crowded(void)
{
	if (renew_server())
		check_crowd("", "\"lists\":1,", "\"lists\":2,");
}

/* Those who list again are those who have to. */
static void
test_crowded_namespaces(void)
{
	if (renew_server())
		check_crowd(",\"namespaces\":[\"default\",\"other\"]", "\"lists\":2,",
		            "\"lists\":3,");
}

/* A reload does not open what is closed, nor close what is open. */
static void
test_crowded_reload(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	crowd_into("other", 0, CROWD);
	engine = open_cluster("", "");
	wait_for(engine, "it has too much", &in_other, TOO_MUCH);
	kube_server_tell(server, "deaf on");
	CU_ASSERT_EQUAL(load(engine, kubeconfig(""), ",\"report\":\"all\"", NULL), LIMEN_OK);
	ranger_check(engine, "not without limits", TWO, &in_other, TOO_MUCH);
	ranger_check(engine, "others as before", TWO, &in_default, SAID("1"));
	wait_for_status(engine, "\"namespacesCrowdedOut\":1");
	for (unsigned i = 1; i < CROWD; i++)
		kube_server_tell(server, "delete other a%u", 100 + i);
	kube_server_tell(server, "deaf off");
	wait_for(engine, "mended", &in_other, SAID("1"));
	limen_engine_free(engine);
}

/* The log has a line for each namespace, and no more than ten of them at a time. */
static void
test_crowded_log(void)
{
	enum { SPACES = 14, OBJECTS = 5, NAMED = 10 };
	char name[16];
	limen_engine *engine;

	if (!renew_server())
		return;
	for (unsigned i = 0; i < SPACES; i++) {
		snprintf(name, sizeof name, "n%u", 100 + i);
		crowd_into(name, 0, OBJECTS);
	}
	atomic_store(&named_lines, 0);
	atomic_store(&other_lines, 0);
	engine = open_cluster("", "");
	wait_for_status(engine, "\"synced\":true");
	wait_for_status(engine, "\"namespacesCrowdedOut\":14");
	limen_engine_free(engine);
	ASSERT(atomic_load(&named_lines) == NAMED && atomic_load(&other_lines) == 1,
	       "%u lines, and %u", atomic_load(&named_lines), atomic_load(&other_lines));
}

#define CLAIM "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"c\"}," \
	"\"spec\":{\"resources\":{\"requests\":{\"storage\":\"1Gi\"}}}}"
#define NO_QUANTITY "LimitRange in version \"v1\" cannot be handled as a LimitRange: quantities must " \
	"match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/* Stored objects are not checked again; what cannot be read closes its own kind. */
static void
test_stored(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", "{\"metadata\":{\"annotations\":{\"limen.policy/items\":\"[{\\\"x\\\":1}]\"}},"
	    "\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"}}]}}");
	put("other", "b", "{\"spec\":{\"limits\":[{\"type\":\"Thing\",\"max\":{\"cpu\":\"x\"}},"
	    "{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"},\"default\":{\"cpu\":\"9\"}},"
	    "{\"type\":\"Pod\",\"max\":{\"cpu\":\"1500m\"},\"min\":{\"cpu\":\"1600m\"}},"
	    "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":\"much\"}}]}}");
	put("third", "c", "{\"spec\":{\"limits\":[{\"type\":\"Container\",\"max\":{\"cpu\":\"much\"}},"
	    "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":\"2Gi\"}}]}}");
	engine = open_cluster("", "");
	wait_for(engine, "an annotation that counts for nothing", &in_default, SAID("1"));
	ranger_check(engine, "pods where claims cannot be told", TWO, &in_other,
	             SAID("1") "\nminimum cpu usage per Pod is 1600m.  No request is specified\n"
	             SAID("1500m"));
	ranger_check(engine, "claims", CLAIM, &in_other,
	             TELL "LimitRange \"b\" of the namespace \"other\" cannot be used: " NO_QUANTITY);
	ranger_check(engine, "pods that cannot be told", TWO, &in_third,
	             TELL "LimitRange \"c\" of the namespace \"third\" cannot be used: " NO_QUANTITY);
	ranger_check(engine, "claims where pods cannot be told", CLAIM, &in_third, "");
	wait_for_status(engine, "\"broken\":2");
	limen_engine_free(engine);
}

static double
get_time(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Changes of one cost less than reading all others once, whatever these are. */
static void
test_cost(void)
{
	double began;
	double listed;
	limen_engine *engine;

	if (!renew_server())
		return;
	for (unsigned i = 0; i < 20; i++) {
		const char name[] = { (char)('a' + i), '\0' };

		put_large(name, "large", 60 << 10);
	}
	put("default", "a", MAX("1"));
	began = get_time();
	engine = open_cluster("", "");
	wait_for(engine, "listed", &in_default, SAID("1"));
	listed = get_time() - began;
	began = get_time();
	for (unsigned i = 0; i < 10; i++) {
		put("default", "a", MAX("1200m"));
		wait_for(engine, "changed", &in_default, SAID("1200m"));
		put("default", "a", MAX("1"));
		wait_for(engine, "and back", &in_default, SAID("1"));
	}
	ASSERT(get_time() - began < listed, "20 changes took %f s, the list %f s",
	       get_time() - began, listed);
	limen_engine_free(engine);
}

static size_t
count_ranges(limen_engine *engine)
{
	char *text = limen_engine_describe(engine, 0, NULL);
	size_t count = 0;

	for (const char *at = text; at != NULL && (at = strstr(at, "\"kind\":")) != NULL; at++)
		count++;
	free(text);
	return count;
}

/* The status shows a thousand, or a megabyte of text, and counts the others. */
static void
test_shown(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	kube_server_tell(server, "fill 1000");
	engine = open_cluster("", "");
	wait_for_status(engine, "\"limitRangesLeftOut\":0,");
	CU_ASSERT_EQUAL(count_ranges(engine), 1000);
	put("zz", "last", MAX("1"));
	wait_for_status(engine, "\"limitRangesLeftOut\":1,");
	wait_for_status(engine, "\"objects\":1001");
	CU_ASSERT_EQUAL(count_ranges(engine), 1000);
	for (unsigned i = 0; i < 20; i++) {
		const char name[] = { 'a', (char)('a' + i), '\0' };

		put_large(name, "large", 60 << 10);
	}
	wait_for_status(engine, "\"objects\":1021");
	wait_for_status(engine, "\"limitRangesLeftOut\":1004,");
	CU_ASSERT_EQUAL(count_ranges(engine), 17);
	limen_engine_free(engine);
}

/* Nothing is admitted before the first list, and everything as before after the last. */
static void
test_away(void)
{
	limen_engine *engine;
	limen_decision *decision;

	if (!renew_server())
		return;
	kube_server_tell(server, "fail 1000 403");
	put("default", "a", MAX("1"));
	engine = open_cluster("", "");
	wait_for_status(engine, "status 403: it is what the test wants");
	CU_ASSERT_FALSE(limen_engine_wait_ready(engine, 0));
	decision = ranger_decide(engine, TWO, &in_default);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	CU_ASSERT_FALSE(limen_decision_admitted(decision));
	ASSERT(strstr(limen_decision_reason(decision), "are not known yet: list /api/v1/limitranges") !=
	       NULL, "%s", limen_decision_reason(decision));
	limen_decision_free(decision);
	kube_server_tell(server, "mend");
	wait_for(engine, "mended", &in_default, SAID("1"));
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, 0));
	kube_server_end(server);
	wait_for_status(engine, "Cannot connect: Connection refused");
	ranger_check(engine, "the server is away", TWO, &in_default, SAID("1"));
	CU_ASSERT_TRUE(kube_server_again(server));
	put("default", "a", MAX("1200m"));
	wait_for(engine, "it is back", &in_default, SAID("1200m"));
	limen_engine_free(engine);
}

static void
test_namespaces(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	put("third", "c", MAX("1"));
	engine = open_cluster(",\"namespaces\":[\"default\",\"other\"]", "");
	wait_for(engine, "one", &in_default, SAID("1"));
	ranger_check(engine, "another", TWO, &in_other, "");
	ranger_check(engine, "none of them", TWO, &(struct ranger_envelope){ .namespace = "third" },
	             TELL "the LimitRanges of the namespace \"third\" are not followed");
	put("other", "b", MAX("1200m"));
	wait_for(engine, "the other", &in_other, SAID("1200m"));
	wait_for_status(engine, "\"objects\":2");
	limen_engine_free(engine);
}

/* Whoever may write in one namespace has no say in others. */
static void
test_annotations(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("other", "wide", "{\"metadata\":{\"annotations\":{\"limen.policy/namespaces\":\"[\\\"*\\\"]\"}},"
	    "\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"}}]}}");
	put("default", "narrow", "{\"metadata\":{\"annotations\":{\"limen.policy/items\":"
	    "\"[{\\\"selector\\\":{\\\"matchLabels\\\":{\\\"x\\\":\\\"y\\\"}}}]\"}},"
	    "\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"}}]}}");
	engine = open_cluster("", "");
	wait_for(engine, "its own", &in_other, SAID("1"));
	ranger_check(engine, "not this one", TWO, &in_default, "");
	limen_engine_free(engine);
}

/* A reload keeps what is known, whatever else it changes, also while nobody answers. */
static void
test_reload(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	put("default", "b", MAX("1200m"));
	engine = open_cluster("", "");
	wait_for(engine, "listed", &in_default, SAID("1"));
	wait_for_status(engine, "\"watches\":1");
	CU_ASSERT_EQUAL(load(engine, kubeconfig(""), "", NULL), LIMEN_OK);
	wait_for_status(engine, "\"lists\":1,\"watches\":1");
	kube_server_tell(server, "deaf on");
	CU_ASSERT_EQUAL(load(engine, kubeconfig(""), ",\"report\":\"all\"", NULL), LIMEN_OK);
	ranger_check(engine, "as before", TWO, &in_default, SAID("1") "\n" SAID("1200m"));
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, 0));
	CU_ASSERT_EQUAL(load(engine, "{\"service-account\":\"/nowhere\"}", "", NULL), LIMEN_OK);
	wait_for(engine, "another cluster", &in_default,
	         TELL "the LimitRanges of the cluster are not known yet: this process does not "
	              "run in a pod: "
	         "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT do not name an API server");
	limen_engine_free(engine);
	kube_server_tell(server, "deaf off");
}

static void
test_pod(void)
{
	char port[16];
	char option[512];
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	snprintf(port, sizeof port, "%u", kube_server_port(server));
	setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1", 1);
	setenv("KUBERNETES_SERVICE_PORT", port, 1);
	snprintf(option, sizeof option, "{\"service-account\":\"%s\"}",
	         kube_server_directory(server));
	engine = new_engine();
	CU_ASSERT_EQUAL(load(engine, option, "", NULL), LIMEN_OK);
	wait_for(engine, "as a pod", &in_default, SAID("1"));
	limen_engine_free(engine);
	unsetenv("KUBERNETES_SERVICE_HOST");
	unsetenv("KUBERNETES_SERVICE_PORT");
}

/* Who one is, and whom one believes. */
static const struct {
	const char *about;
	const char *cluster;
	const char *user;
	const char *more;
	const char *error; /* NULL: it works */
} identities[] = {
	{ "a client certificate", "certificate-authority: ca.crt",
	  "client-certificate: client.crt, client-key: client.key", "", NULL },
	{ "a token", "certificate-authority: ca.crt", "token: first", "", NULL },
	{ "another token", "certificate-authority: ca.crt", "token: second", "", "status 401" },
	{ "nobody", "certificate-authority: ca.crt", "", "", "status 401" },
	{ "the authorities of the system", "", "token: first", "", "certificate" },
	{ "another authority", "certificate-authority: client.crt", "token: first", "",
	  "certificate" },
	{ "an authority that is none", "certificate-authority-data: aGVsbG8=", "token: first", "",
	  "" },
	{ "no file", "certificate-authority: nothing.crt", "token: first", "", "No such file" },
	{ "a server that is not verified", "insecure-skip-tls-verify: true", "token: first",
	  ",\"insecure\":true", NULL },
	{ "a server that is verified although it need not be", "", "token: first",
	  ",\"insecure\":true", "certificate" },
};

static void
test_identities(void)
{
	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
		limen_engine *engine = new_engine();

		write_config(identities[i].cluster, identities[i].user);
		CU_ASSERT_EQUAL(load(engine, kubeconfig(identities[i].more), "", NULL), LIMEN_OK);
		if (identities[i].error == NULL)
			wait_for(engine, identities[i].about, &in_default, SAID("1"));
		else
			wait_for_status(engine, "\"error\":");
		if (identities[i].error != NULL)
			wait_for_status(engine, identities[i].error);
		limen_engine_free(engine);
	}
}

/* What does not load. */
static const struct {
	const char *cluster; /* of the kubeconfig */
	const char *user;
	const char *option;  /* the whole, or more members if it begins with a comma, or "" */
	const char *options; /* beside it */
	const char *problem;
} refused[] = {
	{ "", "exec: {command: aws}", "", "", "limen does not support exec" },
	{ "", "auth-provider: {name: gcp}", "", "", "limen does not support auth-provider" },
	{ "", "username: me, password: you", "", "", "limen does not support username" },
	{ "", "as: root", "", "", "limen does not support as" },
	{ "", "client-certificate: client.crt", "", "", "without its key" },
	{ "", "client-key: client.key", "", "", "without its certificate" },
	{ "", "token: \"a b\"", "", "", "the token has characters that a token cannot have" },
	{ "", "token: 7", "", "", "token must be a string" },
	{ "tls-server-name: x", "", "", "", "limen does not support tls-server-name" },
	{ "insecure-skip-tls-verify: true", "", "", "", "the server would not be verified" },
	{ "insecure-skip-tls-verify: 1", "", "", "", "must be true or false" },
	{ "certificate-authority-data: \"%%\"", "", "", "", "is not base64 of a text" },
	{ "", "", ",\"context\":\"none\"", "", "the kubeconfig has no context \"none\"" },
	{ "", "", ",\"context\":\"lost\"", "", "there is no cluster \"nowhere\"" },
	{ "", "", ",\"context\":\"plain\"", "", "the server is not https" },
	{ "", "", ",\"service-account\":\"/x\"", "", "exclude each other" },
	{ "", "", ",\"contxt\":\"x\"", "", "unknown option \"contxt\"" },
	{ "", "", ",\"namespaces\":[]", "", "at least one" },
	{ "", "", ",\"namespaces\":[\"A\"]", "", "'A' is not a namespace" },
	{ "", "", ",\"namespaces\":[7]", "", "namespaces must be strings" },
	{ "", "", ",\"insecure\":1", "", "insecure must be true or false" },
	{ "", "", "{\"context\":\"x\"}", "", "context and insecure are for a kubeconfig" },
	{ "", "", "{\"kubeconfig\":\"/nowhere/config\"}", "", "No such file" },
	{ "", "", "{\"kubeconfig\":7}", "", "kubeconfig must be a string" },
	{ "", "", "7", "", "must be true, false or an object" },
	{ "", "", "", ",\"manifests\":[]", "cluster excludes manifests and files" },
	{ "", "", "true", ",\"manifests\":[" RANGE("a", "") "]", "cluster excludes manifests" },
};

static void
check_refused(size_t i)
{
	limen_engine *engine = new_engine();
	limen_diag *diag = limen_diag_new();
	const char *option = refused[i].option;
	char found[RANGER_TEXT];

	write_config(refused[i].cluster, refused[i].user);
	if (*option == '\0' || *option == ',')
		option = kubeconfig(option);
	CU_ASSERT_NOT_EQUAL(load(engine, option, refused[i].options, diag), LIMEN_OK);
	ranger_problems(diag, LIMEN_SEVERITY_PROBLEM, found);
	ASSERT(strstr(found, refused[i].problem) != NULL, "'%s', want '%s'", found,
	       refused[i].problem);
	limen_diag_free(diag);
	limen_engine_free(engine);
}

static void
test_refused(void)
{
	if (!renew_server())
		return;
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		check_refused(i);
}

/* Changes come as fast as they can while decisions read. */
static void
test_storm(void)
{
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", MAX("1"));
	engine = open_cluster("", "");
	wait_for(engine, "listed", &in_default, SAID("1"));
	for (int i = 0; i < 300; i++) {
		limen_decision *decision;

		put("default", "a", i % 2 == 0 ? MAX("1200m") : MAX("1"));
		put("other", "b", MAX("1"));
		decision = ranger_decide(engine, TWO, &in_default);
		CU_ASSERT_EQUAL(limen_decision_code(decision), 403);
		limen_decision_free(decision);
		kube_server_tell(server, "delete other b");
	}
	put("default", "a", MAX("1500m"));
	wait_for(engine, "the last one", &in_default, SAID("1500m"));
	wait_for(engine, "and no other", &in_other, "");
	limen_engine_free(engine);
}

#define GIVES(cpu) "{\"spec\":{\"limits\":[{\"type\":\"Container\",\"max\":{\"cpu\":\"" cpu "\"}}]}}"

/* LimitRanges change between giving a pod its defaults and checking it. */
static void
test_given(void)
{
	static const char slow[] = ",{\"name\":\"slow\",\"plugin\":\"chain\",\"data\":"
	                           "{\"sleep\":\"PT0.005S\"}}";
	static const char crossed[] =
		"maximum cpu usage per Container is 500m, but limit is 1";
	limen_engine *engine;

	if (!renew_server())
		return;
	put("default", "a", GIVES("1"));
	engine = new_engine();
	write_config("certificate-authority: ca.crt", "tokenFile: token");
	CU_ASSERT_EQUAL(load_before(engine, kubeconfig(""), "", slow, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, SECONDS * LIMEN_SECOND));
	for (int i = 0; i < 100; i++) {
		limen_decision *decision;
		char found[RANGER_TEXT];

		put("default", "a", i % 2 == 0 ? GIVES("500m") : GIVES("1"));
		decision = ranger_decide(engine, POD(CONTAINER("c", "{}")), &in_default);
		ranger_messages(decision, found);
		ASSERT(*found == '\0' || strcmp(found, crossed) == 0, "%s", found);
		limen_decision_free(decision);
	}
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "LimitRanges come, change and go", test_changes },
		{ "several of one namespace", test_order },
		{ "a namespace that has too much", test_large },
		{ "a namespace that has too much, and less again", test_crowded },
		{ "one of several that are listed each", test_crowded_namespaces },
		{ "a reload while a namespace has too much", test_crowded_reload },
		{ "what the log says of many that have too much", test_crowded_log },
		{ "LimitRanges that limen would not accept", test_stored },
		{ "changes beside many others", test_cost },
		{ "what the status shows", test_shown },
		{ "an API server that refuses, goes away and comes back", test_away },
		{ "some namespaces only", test_namespaces },
		{ "annotations", test_annotations },
		{ "reloads", test_reload },
		{ "the service account of a pod", test_pod },
		{ "who one is, and whom one believes", test_identities },
		{ "options and kubeconfigs that are refused", test_refused },
		{ "many changes", test_storm },
		{ "changes in the middle of decisions", test_given },
		{ NULL, NULL }
	};
	int failed = suite_run("LimitRanger_cluster", tests);

	kube_server_stop(server);
	return failed;
}
