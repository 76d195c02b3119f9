/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testkit.c - liblimen-testkit.  Writes a policy around one entry and reads
 * what its module said from the trace of the decision; everything in between
 * is the real engine, used through its public headers only.
 */
#include <limen/testkit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2020-01-01T00:00:00Z */
#define FIRST_MOMENT (INT64_C(1577836800) * LIMEN_SECOND)

/* Longer than any download of a test. */
#define READY_MAX (60 * LIMEN_SECOND)

struct limen_kit {
	limen_engine *engine;
	limen_time now;
	limen_kind kind;
	bool opened; /* the policy in force is that of the last limen_kit_open() */
	void (*prepare)(void *data, limen_request *req);
	void *prepare_data;
	char *problems;
	limen_decision *decision;
	const limen_trace *trace; /* of the entry in 'decision'; NULL if it was not run */
};

static void
write_log(void *data, limen_log_level level, const char *source, const char *text)
{
	(void)data;
	if (level <= LIMEN_LOG_WARNING)
		fprintf(stderr, "%s: %s\n", source != NULL ? source : "engine", text);
}

limen_kit *
limen_kit_new(const char *module_path)
{
	limen_engine_options options = {
		.size = sizeof options,
		.log = write_log,
		.module_path = module_path != NULL ? module_path : getenv("LIMEN_MODULE_PATH")
	};
	limen_kit *kit = calloc(1, sizeof *kit);

	if (kit == NULL)
		return NULL;
	kit->now = FIRST_MOMENT;
	kit->engine = limen_engine_new(&options);
	if (kit->engine != NULL)
		return kit;
	free(kit);
	return NULL;
}

static void
forget_decision(limen_kit *kit)
{
	limen_decision_free(kit->decision);
	kit->decision = NULL;
	kit->trace = NULL;
}

void
limen_kit_free(limen_kit *kit)
{
	if (kit == NULL)
		return;
	forget_decision(kit);
	limen_engine_free(kit->engine);
	free(kit->problems);
	free(kit);
}

limen_engine *
limen_kit_engine(const limen_kit *kit)
{
	return kit->engine;
}

void
limen_kit_set_now(limen_kit *kit, limen_time now)
{
	kit->now = now;
}

void
limen_kit_advance(limen_kit *kit, limen_duration by)
{
	kit->now += by;
}

/* ---- the policy ---- */

#define EVERYONE                                                                    \
	"{\"name\":\"everyone\",\"description\":\"\",\"type\":\"always\",\"data\":{}}"
#define EVERYONE_CLASSIFIED                                                         \
	"\"classifiers\":[{\"name\":\"everyone\",\"description\":\"\","             \
	"\"identifiers\":[\"everyone\"]}]"
#define OBJECTS                                                                     \
	"{\"schema\":4,\"identifiers\":[],\"classifiers\":[],\"limits\":[],\"applications\":[]"  \
	",\"admission\":[{\"name\":\"entry\",\"plugin\":\"%s\",\"data\":%s}]}"
/* A store is asked by a limit: two at once, and one more every minute. */
#define COUNTED                                                                     \
	"{\"schema\":4,\"identifiers\":[" EVERYONE "]," EVERYONE_CLASSIFIED         \
	",\"stores\":{\"entry\":{\"type\":\"%s\",\"data\":%s}},\"limits\":[{\"name\":\"rate\","  \
	"\"description\":\"\",\"type\":\"rate\",\"data\":{\"rate\":\"1/PT1M\",\"burst\":2,\"count\":\"both\"," \
	"\"key\":[\"hint:user\"],\"store\":\"entry\"}}],\"applications\":[{\"classifier\":\"everyone\",\"apply\":" \
	"[{\"require\":\"all\",\"limits\":[\"rate\"]}]}]}"
#define ENTRY "{\"name\":\"entry\",\"description\":\"\",\"type\":\"%s\",\"data\":%s}"

/* With an application that passes, as a prioritizer is asked about admitted runs only. */
#define SECTION                                                                     \
	"{\"schema\":4,\"identifiers\":[" EVERYONE "]," EVERYONE_CLASSIFIED         \
	",\"limits\":[],\"applications\":[{\"classifier\":\"everyone\",\"apply\":"              \
	"[{\"require\":\"all\",\"limits\":[]}]}],\"%s\":{\"type\":\"%s\"%s%s}"

/* Steps over white space as JSON knows it. */
static const char *
skip_space(const char *text)
{
	return text + strspn(text, " \t\r\n");
}

/*
 * The options of a rewriter or prioritizer are its section, so the type becomes
 * a member of the object 'data'.
 */
static void
write_section(FILE *out, const char *section, const char *type, const char *data)
{
	const char *members = skip_space(data);

	if (*members == '{')
		members = skip_space(members + 1);
	fprintf(out, SECTION, section, type, *members == '}' ? "" : ",", members);
}

static int
write_policy(FILE *out, limen_kind kind, const char *type, const char *data)
{
	switch (kind) {
	case LIMEN_KIND_IDENTIFIER:
		fprintf(out, "{\"schema\":4,\"identifiers\":[" ENTRY "],\"classifiers\":["
		        "{\"name\":\"entry\",\"description\":\"\",\"identifiers\":[\"entry\"]}],"
		        "\"limits\":[],\"applications\":[{\"classifier\":\"entry\",\"apply\":"
		        "[{\"require\":\"all\",\"limits\":[]}]}]}", type, data);
		return LIMEN_OK;
	case LIMEN_KIND_LIMIT:
		fprintf(out, "{\"schema\":4,\"identifiers\":[" EVERYONE "]," EVERYONE_CLASSIFIED
		        ",\"limits\":[" ENTRY "],"
		        "\"applications\":[{\"classifier\":\"everyone\",\"apply\":"
		        "[{\"require\":\"all\",\"limits\":[\"entry\"]}]}]}", type, data);
		return LIMEN_OK;
	case LIMEN_KIND_REWRITER:
		write_section(out, "rewrite", type, data);
		return LIMEN_OK;
	case LIMEN_KIND_PRIORITIZER:
		write_section(out, "priority", type, data);
		return LIMEN_OK;
	case LIMEN_KIND_ADMISSION:
		fprintf(out, OBJECTS, type, data);
		return LIMEN_OK;
	case LIMEN_KIND_STORE:
		fprintf(out, COUNTED, type, data);
		return LIMEN_OK;
	default:
		return LIMEN_EINVAL;
	}
}

static void
write_problem(FILE *out, const limen_problem *problem)
{
	static const char *const words[] = { [LIMEN_SEVERITY_NOTE] = "note",
		                             [LIMEN_SEVERITY_WARNING] = "warning",
		                             [LIMEN_SEVERITY_PROBLEM] = "error" };

	fprintf(out, "%s: ", words[problem->severity]);
	if (problem->pointer != NULL)
		fprintf(out, "At %s: ", problem->pointer[0] == '\0' ? "/" : problem->pointer);
	else if (problem->file != NULL && problem->line > 0)
		fprintf(out, "%s:%u: ", problem->file, problem->line);
	fprintf(out, "%s", problem->text);
	if (problem->hint != NULL)
		fprintf(out, " (%s)", problem->hint);
	fputc('\n', out);
}

static int
keep_problems(limen_kit *kit, const limen_diag *diag)
{
	size_t count = limen_diag_count(diag, LIMEN_SEVERITY_NOTE);
	size_t length = 0;
	FILE *out = open_memstream(&kit->problems, &length);

	if (out == NULL)
		return LIMEN_ENOMEM;
	for (size_t i = 0; i < count; i++)
		write_problem(out, limen_diag_get(diag, i));
	return fclose(out) == 0 ? LIMEN_OK : LIMEN_ENOMEM;
}

/* Loads 'policy'; NULL: the last one again. */
static int
load(limen_kit *kit, const char *policy, size_t length)
{
	limen_diag *diag = limen_diag_new();
	int result;

	forget_decision(kit);
	free(kit->problems);
	kit->problems = NULL;
	if (diag == NULL)
		return LIMEN_ENOMEM;
	result = policy == NULL
	                 ? limen_engine_reload(kit->engine, diag)
	                 : limen_engine_load_text(kit->engine, "entry", policy, length, diag);
	if (keep_problems(kit, diag) != LIMEN_OK)
		result = LIMEN_ENOMEM;
	limen_diag_free(diag);
	if (result == LIMEN_OK)
		limen_engine_wait_ready(kit->engine, READY_MAX);
	kit->opened = result == LIMEN_OK;
	return result;
}

int
limen_kit_open(limen_kit *kit, limen_kind kind, const char *type, const char *data)
{
	char *policy = NULL;
	size_t length = 0;
	FILE *out;
	int result;

	forget_decision(kit);
	kit->opened = false;
	free(kit->problems);
	kit->problems = NULL;
	out = open_memstream(&policy, &length);
	if (out == NULL)
		return LIMEN_ENOMEM;
	result = write_policy(out, kind, type, data);
	if (fclose(out) != 0)
		result = LIMEN_ENOMEM;
	if (result == LIMEN_OK)
		result = load(kit, policy, length);
	free(policy);
	kit->kind = kind;
	return result;
}

int
limen_kit_reload(limen_kit *kit)
{
	return load(kit, NULL, 0);
}

const char *
limen_kit_problems(const limen_kit *kit)
{
	return kit->problems != NULL ? kit->problems : "";
}

/* ---- the request ---- */

void
limen_kit_prepare(limen_kit *kit, void (*prepare)(void *data, limen_request *req), void *data)
{
	kit->prepare = prepare;
	kit->prepare_data = data;
}

/* Hints are read as a document of their own, because requests take them as a value. */
static int
set_hints(limen_request *req, const char *hints)
{
	limen_request *parsed = limen_request_new(LIMEN_SUBJECT_OBJECT);
	int result;

	if (parsed == NULL)
		return LIMEN_ENOMEM;
	result = limen_request_parse(parsed, hints, strlen(hints), NULL);
	if (result == LIMEN_OK)
		result = limen_request_set_hints(req, limen_request_document(parsed));
	limen_request_free(parsed);
	return result;
}

/* What the request about an object says beside it, as far as the object tells. */
static int
describe_object(limen_request *req)
{
	limen_value object = limen_request_document(req);
	limen_value metadata = limen_value_get(object, "metadata");
	const struct {
		limen_field field;
		const char *text;
	} fields[] = {
		{ LIMEN_FIELD_OPERATION, "CREATE" },
		{ LIMEN_FIELD_KIND, limen_value_string(limen_value_get(object, "kind"), NULL) },
		{ LIMEN_FIELD_NAME, limen_value_string(limen_value_get(metadata, "name"), NULL) },
		{ LIMEN_FIELD_NAMESPACE,
		  limen_value_string(limen_value_get(metadata, "namespace"), NULL) },
	};
	int result = LIMEN_OK;

	for (size_t i = 0; i < sizeof fields / sizeof fields[0] && result == LIMEN_OK; i++)
		if (fields[i].text != NULL)
			result = limen_request_set_field(req, fields[i].field, fields[i].text);
	return result;
}

static limen_request *
make_request(const limen_kit *kit, const char *document, const char *hints)
{
	const char *text = document != NULL ? document : "{}";
	bool object = kit->kind == LIMEN_KIND_ADMISSION;
	limen_request *req = limen_request_new(object ? LIMEN_SUBJECT_OBJECT : LIMEN_SUBJECT_TASK);

	if (req == NULL)
		return NULL;
	limen_request_set_now(req, kit->now);
	if (limen_request_parse(req, text, strlen(text), NULL) == LIMEN_OK &&
	    (hints == NULL || set_hints(req, hints) == LIMEN_OK) &&
	    (!object || describe_object(req) == LIMEN_OK))
		return req;
	limen_request_free(req);
	return NULL;
}

/*
 * An entry is the only one of its kind in the policy.  One of admission may have been
 * called twice, and the later call is what decided; a store answers through a limit.
 */
static void
find_trace(limen_kit *kit)
{
	limen_kind kind = kit->kind == LIMEN_KIND_STORE ? LIMEN_KIND_LIMIT : kit->kind;
	const limen_trace *trace;

	kit->trace = NULL;
	for (size_t i = 0;; i++) {
		trace = limen_decision_trace(kit->decision, i);
		if (trace == NULL)
			return;
		if (trace->kind == kind)
			kit->trace = trace;
	}
}

limen_verdict
limen_kit_run(limen_kit *kit, const char *document, const char *hints)
{
	limen_decide_options options = {
		.size = sizeof options,
		.rewrite = kit->kind == LIMEN_KIND_REWRITER ? LIMEN_SWITCH_ON : LIMEN_SWITCH_OFF,
		.prioritize =
			kit->kind == LIMEN_KIND_PRIORITIZER ? LIMEN_SWITCH_ON : LIMEN_SWITCH_OFF,
		.diagnostics = true,
		.trace = true
	};
	limen_request *req;

	forget_decision(kit);
	if (!kit->opened)
		return LIMEN_ERROR;
	req = make_request(kit, document, hints);
	if (req == NULL)
		return LIMEN_ERROR;
	if (kit->prepare != NULL)
		kit->prepare(kit->prepare_data, req);
	if (limen_engine_decide(kit->engine, req, &options, &kit->decision) == LIMEN_OK)
		find_trace(kit);
	limen_request_free(req);
	return limen_kit_verdict(kit);
}

limen_verdict
limen_kit_verdict(const limen_kit *kit)
{
	return kit->trace != NULL ? kit->trace->verdict : LIMEN_ERROR;
}

const char *
limen_kit_reason(const limen_kit *kit)
{
	return kit->trace != NULL && kit->trace->reason != NULL ? kit->trace->reason : "";
}

const limen_decision *
limen_kit_decision(const limen_kit *kit)
{
	return kit->decision;
}
