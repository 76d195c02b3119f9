/* SPDX-License-Identifier: Apache-2.0 */
/* What all that modules say for one decision may come to. */
#include "peak.h"
#include "decision/pipeline.h"
#include "policy_case.h"
#include "reply_case.h"

#define CALLS 5

/* One call that says as many things of each kind, each of so many bytes. */
typedef struct speech {
	const char *title;
	int notes, note;
	int bounds, bound;
	int reason;
	size_t listed[CALLS]; /* of the notes or bounds, whichever there are */
	size_t reasons[CALLS];
	const char *rest[CALLS]; /* the last note, if it is one of ours */
	bool untold;
} speech;

#define MIB (1 << 20)

static const speech speeches[] = {
	{ .title = "what has room", .notes = 1, .note = MIB, .listed = { 1, 1, 1, 1, 1 } },
	{ .title = "long notes", .notes = 3, .note = MIB, .listed = { 3, 3, 2, 0, 0 },
	  .rest = { NULL, NULL, "1 more notes", "3 more notes", "3 more notes" } },
	{ .title = "many notes", .notes = 1001, .note = 1,
	  .listed = { 1000, 1000, 1000, 1000, 1000 },
	  .rest = { "1 more notes", "1 more notes", "1 more notes", "1 more notes",
	            "1 more notes" } },
	{ .title = "what begins is told", .notes = 1, .note = 5 * MIB, .listed = { 1, 1 },
	  .rest = { NULL, NULL, "1 more notes", "1 more notes", "1 more notes" } },
	{ .title = "bounds", .bounds = 1000, .bound = 4000, .listed = { 1000, 1000, 64 },
	  .rest = { NULL, NULL, "936 more bounds were missed", "1000 more bounds were missed",
	            "1000 more bounds were missed" },
	  .untold = true },
	{ .title = "bounds that have room", .bounds = 1001, .bound = 100,
	  .listed = { 1000, 1000, 1000, 1000, 1000 },
	  .rest = { "1 more bounds were missed", "1 more bounds were missed",
	            "1 more bounds were missed", "1 more bounds were missed",
	            "1 more bounds were missed" } },
	{ .title = "reasons", .reason = 3 * MIB,
	  .reasons = { 3 * MIB, 3 * MIB, 3 * MIB, 1003, 1003 } },
	{ .title = "short reasons", .notes = 1, .note = 9 * MIB, .reason = 1000,
	  .listed = { 1 }, .reasons = { 1000, 1000, 1000, 1000, 1000 },
	  .rest = { NULL, "1 more notes", "1 more notes", "1 more notes", "1 more notes" } },
};

static void
speak(limen_reply *reply, const speech *what)
{
	char *bound;

	CU_ASSERT_FATAL(asprintf(&bound, "%0*d", what->bound, 1) > 0);
	for (int i = 0; i < what->notes; i++)
		limen_reply_note(reply, "%0*d", what->note, 1);
	for (int i = 0; i < what->bounds; i++)
		limen_reply_bound(reply, "f", NULL, LIMEN_RELATION_AT_MOST, bound);
	if (what->reason > 0)
		limen_reply_reason(reply, "%0*d", what->reason, 1);
	free(bound);
}

static void
add_call(reply_case *about, const speech *what)
{
	static const entry target = { .type = "t", .name = "n" };
	pipeline run = { .decision = about->decision };
	call one = { .verdict = LIMEN_ERROR };

	reply_start(&one.reply, &about->decision->arena, &about->request);
	one.reply.wants_bounds = true;
	speak(&one.reply, what);
	one.verdict = reply_verdict(&one.reply, LIMEN_FAIL);
	call_record(&run, &target, LIMEN_KIND_ADMISSION, &one);
	call_finish(&one);
}

static void
expect_call(const speech *what, size_t index, const limen_trace *found)
{
	bool ends = what->rest[index] != NULL;
	size_t notes = found->note_count - (ends && found->note_count > 0 ? 1 : 0);

	CU_ASSERT_EQUAL(found->verdict, LIMEN_FAIL);
	CU_ASSERT_EQUAL(what->bounds > 0 ? found->bound_count : notes, what->listed[index]);
	CU_ASSERT_EQUAL(found->reason == NULL ? 0 : strlen(found->reason), what->reasons[index]);
	if (ends && found->note_count > 0)
		CU_ASSERT_STRING_EQUAL(found->notes[found->note_count - 1], what->rest[index]);
	CU_ASSERT_EQUAL(found->note_count > notes, ends);
}

/* A policy has as many entries as it likes; what is left out is said where it was to be. */
static void
test_calls(void)
{
	for (size_t i = 0; i < sizeof(speeches) / sizeof(speeches[0]); i++) {
		long before = get_peak();
		reply_case about;
		size_t length;

		printf("# %s\n", speeches[i].title);
		reply_case_start(&about, "{}");
		about.decision->wants_trace = true;
		for (size_t j = 0; j < CALLS; j++)
			add_call(&about, &speeches[i]);
		CU_ASSERT_TRUE(decision_seal(about.decision));
		CU_ASSERT_EQUAL(about.decision->bounds_untold, speeches[i].untold);
		for (size_t j = 0; j < CALLS; j++)
			expect_call(&speeches[i], j, limen_decision_trace(about.decision, j));
		free(limen_decision_to_json(about.decision, 0, &length));
		CU_ASSERT(length < 11 * MIB);
		CU_ASSERT(get_peak() - before < 128 * 1024);
		reply_case_end(&about);
	}
}

/* What was said on a thread of its own counts when it is taken over. */
static void
test_other_thread(void)
{
	reply_case about;
	limen_reply taken;

	reply_case_start(&about, "{}");
	about.view.decision = NULL;
	for (int i = 0; i < 1002; i++)
		limen_reply_note(&about.reply, "n");
	CU_ASSERT_EQUAL(about.decision->told, 0);
	CU_ASSERT_EQUAL(about.reply.told, 1000 * 65);
	about.view.decision = about.decision;
	about.decision->told = TOLD_MAX - 65 - 1;
	reply_start(&taken, &about.decision->arena, &about.request);
	CU_ASSERT_TRUE(reply_copy_notes(&taken, &about.reply.notes));
	CU_ASSERT_EQUAL(taken.notes.count, 2);
	CU_ASSERT_EQUAL(taken.notes.more, 1000);
	CU_ASSERT_EQUAL(about.decision->told, TOLD_MAX);
	reply_finish(&taken);
	reply_case_end(&about);
}

#define OBSERVERS 6

/* Writes an entry with a thousand violations of two thousand bytes, of which none is as another. */
static void
write_entry(FILE *out, int number, const char *how, const char *last)
{
	fprintf(out, "%s{\"name\": \"e%d\", \"plugin\": \"chain\", \"enforce\": \"%s\","
	             " \"data\": {\"validate\": \"fail\", \"violations\": [",
	        number == 0 ? "" : ", ", number, how);
	for (int i = 0; i < 999; i++)
		fprintf(out, "[\"invalid\", \"f\", \"%02000d\"], ", i);
	fprintf(out, "[\"%s\", \"f\", \"the last\"]]}}", last);
}

static limen_decision *
decide_observed(const char *how, const char *last)
{
	limen_engine *engine = policy_case_engine(0);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fprintf(out, "{\"admission\": [");
	for (int i = 0; i < OBSERVERS; i++)
		write_entry(out, i, how, "invalid");
	write_entry(out, OBSERVERS, "deny", last);
	fprintf(out, "]}");
	fclose(out);
	policy_case_load(engine, text);
	free(text);
	limen_request_parse(req, "{}", 2, NULL);
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "pods");
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	limen_request_free(req);
	limen_engine_free(engine);
	return decision;
}

/* Whoever observes before takes nothing from who refuses, whose last words may decide the code. */
static void
test_refuser(void)
{
	static const struct {
		const char *how, *last;
		int code;
		size_t annotations;
	} cases[] = {
		{ "warn", "invalid", 422, 0 },
		{ "warn", "forbidden", 403, 0 },
		{ "audit", "rate", 429, OBSERVERS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_decision *decision = decide_observed(cases[i].how, cases[i].last);
		const limen_annotation *one = limen_decision_annotation(decision, OBSERVERS - 1);

		CU_ASSERT_EQUAL(limen_decision_code(decision), cases[i].code);
		CU_ASSERT_PTR_NOT_NULL_FATAL(limen_decision_violation(decision, 999));
		CU_ASSERT_STRING_EQUAL(limen_decision_violation(decision, 999)->message, "the last");
		CU_ASSERT_PTR_NOT_NULL(strstr(limen_decision_reason(decision), "the last"));
		CU_ASSERT_EQUAL(decision->told, TOLD_MAX);
		CU_ASSERT_EQUAL(one != NULL, cases[i].annotations > 0);
		/* The first is told of each, and that there are more. */
		if (one != NULL)
			CU_ASSERT_STRING_EQUAL(one->value + 2000, "; only the first violations "
			                                          "are reported, because they are "
			                                          "too long");
		limen_decision_free(decision);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what is told has a bound for all calls", test_calls },
		{ "so has what comes from other threads", test_other_thread },
		{ "but it takes nothing from a refusal", test_refuser },
		{ NULL, NULL },
	};

	return suite_run("core/reply_trace", tests);
}
