/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random pods and LimitRanges.  The answer for a pod is the same in one step as in two, the
 * second of which gets the document that came of the first.  An entry that audits reports
 * what it refuses when it denies, and nothing else.
 */
#include "ranger_case.h"

enum { TEXT_MAX = 4096, PODS = 40, POLICIES = 60 };

static uint64_t state = 47;

static unsigned
draw(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

static void
add(char *out, const char *text)
{
	size_t length = strlen(out);

	snprintf(out + length, TEXT_MAX - length, "%s", text);
}

/* An object of some resources; quantities whose forms and sizes differ. */
static void
add_list(char *out, const char *key, bool *first)
{
	static const char *const names[] = { "cpu", "memory", "example.com/gpu", "ephemeral-storage" };
	static const char *const values[] = {
		"\"100m\"", "\"0.1Ki\"", "1", "\"1024\"", "\"1Ki\"", "\"1e3\"", "0", "\"2.5\"",
		"\"1Gi\"", "\"100000000000000000000000\"", "\"0.0001\"",
	};
	bool none = true;

	if (draw(3) == 0)
		return;
	add(out, *first ? "" : ",");
	*first = false;
	add(out, key);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (draw(5) > 1)
			continue;
		add(out, none ? "\"" : ",\"");
		add(out, names[i]);
		add(out, "\":");
		add(out, values[draw(sizeof values / sizeof values[0])]);
		none = false;
	}
	add(out, "}");
}

static void
add_container(char *out, const char *name, bool init)
{
	bool first = true;

	add(out, "{\"name\":\"");
	add(out, name);
	add(out, init && draw(3) == 0 ? "\",\"restartPolicy\":\"Always\"" : "\"");
	if (draw(3) == 0) {
		add(out, "}");
		return;
	}
	add(out, ",\"resources\":{");
	add_list(out, "\"requests\":{", &first);
	add_list(out, "\"limits\":{", &first);
	add(out, "}}");
}

static void
make_pod(char *out)
{
	static const char account[] = ",\"annotations\":{\"kubernetes.io/limit-ranger\":\"x\"}";
	static const char *const annotations[] = { "", ",\"annotations\":{}", account };
	bool first = true;

	*out = '\0';
	add(out, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"");
	add(out, annotations[draw(3)]);
	add(out, "},\"spec\":{\"containers\":[");
	add_container(out, "a", false);
	if (draw(2) == 0) {
		add(out, ",");
		add_container(out, "b\\\"c", false);
	}
	add(out, "],\"initContainers\":[");
	if (draw(2) == 0) {
		add_container(out, "i", true);
		add(out, ",");
		add_container(out, "j", true);
	}
	add(out, "]");
	if (draw(5) == 0) {
		add(out, ",\"resources\":{");
		add_list(out, "\"requests\":{", &first);
		add(out, "}");
	}
	add(out, "}}");
}

static void
add_item(char *out, const char *type)
{
	bool first = false;
	bool container = strcmp(type, "Container") == 0;

	add(out, "{\"type\":\"");
	add(out, type);
	add(out, "\"");
	if (container || draw(2) == 0)
		add_list(out, "\"max\":{", &first);
	if (draw(2) == 0)
		add_list(out, "\"min\":{", &first);
	if (container) {
		add_list(out, "\"default\":{", &first);
		add_list(out, "\"defaultRequest\":{", &first);
	}
	add(out, "}");
}

/* Two LimitRanges, which need not make sense. */
static void
make_ranges(char *out)
{
	*out = '\0';
	add(out, "{\"kind\":\"LimitRange\",\"apiVersion\":\"v1\",\"metadata\":"
	         "{\"name\":\"r\"},\"spec\":{\"limits\":[");
	add_item(out, "Container");
	add(out, ",");
	add_item(out, "Pod");
	add(out, "]}},{\"kind\":\"LimitRange\",\"apiVersion\":\"v1\",\"metadata\":"
	         "{\"name\":\"s\"},\"spec\":{\"limits\":[");
	add_item(out, "Container");
	add(out, "]}}");
}

static const char *
draw_option(void)
{
	static const char *const options[] = {
		"", "", "\"default-conflict\":\"raise\"", "\"default-conflict\":\"skip\"",
		"\"defaulting\":\"require\"", "\"report\":\"all\"",
	};

	return options[draw(sizeof options / sizeof options[0])];
}

/* Returns an engine whose policy makes sense. */
static limen_engine *
make_engine(void)
{
	for (;;) {
		char ranges[TEXT_MAX];
		limen_diag *diag = limen_diag_new();
		limen_engine *engine;

		make_ranges(ranges);
		engine = ranger_load(draw_option(), ranges, diag);
		limen_diag_free(diag);
		if (engine != NULL)
			return engine;
	}
}

static limen_decision *
decide_in(limen_engine *engine, limen_value object, limen_phase phase)
{
	const limen_decide_options options = { .size = sizeof options, .phase = phase };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;

	if (limen_request_set_document(req, object) != LIMEN_OK ||
	    limen_engine_decide(engine, req, &options, &decision) != LIMEN_OK)
		abort();
	limen_request_free(req);
	return decision;
}

/* Returns whether the pod was admitted. */
static bool
compare_ways(limen_engine *engine, limen_value pod)
{
	limen_decision *both = decide_in(engine, pod, LIMEN_PHASE_BOTH);
	limen_decision *first = decide_in(engine, pod, LIMEN_PHASE_MUTATE);
	limen_value changed = limen_decision_rewritten(first);
	limen_decision *second = decide_in(engine, limen_value_exists(changed) ? changed : pod,
	                                   LIMEN_PHASE_VALIDATE);
	bool admitted = limen_decision_admitted(both);
	char found[RANGER_TEXT], wanted[RANGER_TEXT];

	ranger_messages(both, found);
	ranger_messages(second, wanted);
	ASSERT(strcmp(found, wanted) == 0, "'%s', want '%s'", found, wanted);
	ASSERT(admitted == limen_decision_admitted(second), "'%s'", found);
	CU_ASSERT_TRUE(limen_value_equal(limen_decision_patch(both),
	                                 limen_decision_patch(first)));
	limen_decision_free(both);
	limen_decision_free(first);
	limen_decision_free(second);
	return admitted;
}

static void
test_two_ways(void)
{
	unsigned admitted = 0;

	for (unsigned i = 0; i < POLICIES; i++) {
		limen_engine *engine = make_engine();

		for (unsigned j = 0; j < PODS; j++) {
			char pod[TEXT_MAX];
			limen_documents *read = NULL;

			make_pod(pod);
			if (limen_documents_parse(NULL, pod, strlen(pod), 0, &read, NULL) != LIMEN_OK)
				abort();
			admitted += compare_ways(engine, limen_documents_get(read, 0)) ? 1 : 0;
			limen_documents_free(read);
		}
		limen_engine_free(engine);
	}
	printf("# %u of %u pods are admitted\n", admitted, POLICIES * PODS);
	CU_ASSERT(admitted > POLICIES * PODS / 10 && admitted < POLICIES * PODS * 9 / 10);
}

/* ---- an entry that only observes ---- */

/* A policy whose entry "ranger" is rehearsed, and beside it one that only gives defaults. */
struct rehearsal {
	char ranges[TEXT_MAX];
	const char *option;
	char defaults[TEXT_MAX]; /* of the other entry; "": there is none */
	bool first;              /* the other entry comes first */
};

static void
draw_rehearsal(struct rehearsal *out)
{
	bool first = false;

	make_ranges(out->ranges);
	out->option = draw_option();
	out->first = draw(2) == 0;
	out->defaults[0] = '\0';
	if (draw(2) == 0)
		return;
	add(out->defaults, "{\"name\":\"other\",\"plugin\":\"LimitRanger\",\"data\":{\"manifests\":"
	                   "[{\"kind\":\"LimitRange\",\"apiVersion\":\"v1\",\"metadata\":"
	                   "{\"name\":\"o\"},\"spec\":{\"limits\":[{\"type\":\"Container\"");
	add_list(out->defaults, "\"default\":{", &first);
	add(out->defaults, "}]}}]}}");
}

/* Returns NULL if the policy makes no sense. */
static limen_engine *
load_rehearsal(const struct rehearsal *about, const char *enforce)
{
	limen_engine_options settings = { .size = sizeof settings,
		                          .module_path = getenv("LIMEN_MODULE_PATH") };
	limen_engine *engine = limen_engine_new(&settings);
	bool alone = about->defaults[0] == '\0';
	char *policy = NULL;
	int result;

	if (engine == NULL ||
	    asprintf(&policy, "{\"schema\":4,\"admission\":[%s%s{\"name\":\"ranger\",\"plugin\":"
	                      "\"LimitRanger\",\"enforce\":\"%s\",\"data\":{%s%s\"manifests\":[%s]}}"
	                      "%s%s]}",
	             about->first ? about->defaults : "", about->first && !alone ? "," : "", enforce,
	             about->option, *about->option == '\0' ? "" : ",", about->ranges,
	             !about->first && !alone ? "," : "", about->first ? "" : about->defaults) < 0)
		abort();
	result = limen_engine_load_text(engine, "policy", policy, strlen(policy), NULL);
	free(policy);
	if (result == LIMEN_OK)
		return engine;
	limen_engine_free(engine);
	return NULL;
}

/* The messages of an audit annotation, one a line. */
static void
read_report(const limen_decision *decision, char out[RANGER_TEXT])
{
	const limen_annotation *found = limen_decision_annotation(decision, 0);
	char *end;

	snprintf(out, RANGER_TEXT, "%s", found == NULL ? "" : found->value);
	while ((end = strstr(out, "; ")) != NULL) {
		*end = '\n';
		memmove(end + 1, end + 2, strlen(end + 2) + 1);
	}
}

/* Like ranger_messages(), each message once. */
static void
read_refusal(const limen_decision *decision, char out[RANGER_TEXT])
{
	const limen_violation *one;

	out[0] = '\0';
	for (size_t i = 0; (one = limen_decision_violation(decision, i)) != NULL; i++) {
		size_t before = 0;

		while (strcmp(limen_decision_violation(decision, before)->message, one->message) != 0)
			before++;
		if (before == i)
			append_text(out, one->message);
	}
}

/* 'denied' is what an entry that denies has said.  Returns whether it refuses. */
static bool
compare_report(const limen_decision *denied, limen_decision *audited)
{
	bool refused = !limen_decision_admitted(denied);
	char found[RANGER_TEXT], wanted[RANGER_TEXT];

	read_refusal(denied, wanted);
	read_report(audited, found);
	ASSERT(strcmp(found, wanted) == 0, "'%s', want '%s'", found, wanted);
	ASSERT(refused == (*found != '\0') && limen_decision_admitted(audited), "'%s'", wanted);
	limen_decision_free(audited);
	return refused;
}

static bool
compare_rehearsal(limen_engine *denying, limen_engine *auditing, limen_value pod, bool alone)
{
	limen_decision *denied = decide_in(denying, pod, LIMEN_PHASE_BOTH);
	bool refused = compare_report(denied, decide_in(auditing, pod, LIMEN_PHASE_BOTH));

	/* A webhook that only checks is given what other entries have made of the pod. */
	if (alone)
		compare_report(denied, decide_in(auditing, pod, LIMEN_PHASE_VALIDATE));
	limen_decision_free(denied);
	return refused;
}

static void
test_rehearsals(void)
{
	unsigned refused = 0;

	for (unsigned i = 0; i < POLICIES;) {
		struct rehearsal about;
		limen_engine *denying, *auditing;

		draw_rehearsal(&about);
		denying = load_rehearsal(&about, "deny");
		if (denying == NULL)
			continue;
		auditing = load_rehearsal(&about, "audit");
		i++;
		for (unsigned j = 0; j < PODS; j++) {
			char pod[TEXT_MAX];
			limen_documents *read = NULL;

			make_pod(pod);
			if (limen_documents_parse(NULL, pod, strlen(pod), 0, &read, NULL) != LIMEN_OK)
				abort();
			refused += compare_rehearsal(denying, auditing, limen_documents_get(read, 0),
			                             about.defaults[0] == '\0');
			limen_documents_free(read);
		}
		limen_engine_free(denying);
		limen_engine_free(auditing);
	}
	printf("# %u of %u pods are refused\n", refused, POLICIES * PODS);
	CU_ASSERT(refused > POLICIES * PODS / 10 && refused < POLICIES * PODS * 9 / 10);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a pod that is known is judged as one that is read", test_two_ways },
		{ "an entry that audits reports what it would refuse", test_rehearsals },
		{ NULL, NULL },
	};

	return suite_run("plugins/LimitRanger_known", tests);
}
