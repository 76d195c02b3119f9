/* SPDX-License-Identifier: Apache-2.0 */
#include "decision/reply.h"

#include "fail_malloc.h"
#include "peak.h"
#include "reply_case.h"

static const violation_item *
first_violation(const reply_case *one)
{
	return one->reply.violations.first;
}

static const limen_bound *
first_bound(const reply_case *one)
{
	const bound_item *item = one->reply.bounds.first;

	return &item->bound;
}

static void
test_verdicts(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_ERROR), LIMEN_ERROR);
	CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_PASS), LIMEN_PASS);
	CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_FAIL), LIMEN_FAIL);
	CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_SKIP), LIMEN_SKIP);
	CU_ASSERT_EQUAL(reply_verdict(&one.reply, (limen_verdict)4), LIMEN_ERROR);
	CU_ASSERT_EQUAL(reply_verdict(&one.reply, (limen_verdict)-1), LIMEN_ERROR);
	one.reply.failed = true;
	for (int verdict = LIMEN_ERROR; verdict <= LIMEN_SKIP; verdict++)
		CU_ASSERT_EQUAL(reply_verdict(&one.reply, (limen_verdict)verdict), LIMEN_ERROR);
	reply_case_end(&one);
}

static void
test_reasons(void)
{
	reply_case one;
	char text[] = "copied";

	reply_case_start(&one, "{}");
	CU_ASSERT_PTR_NULL(one.reply.reason);
	limen_reply_reason(&one.reply, "%s", text);
	text[0] = 'X';
	CU_ASSERT_STRING_EQUAL(one.reply.reason, "copied");
	limen_reply_reason(&one.reply, "%d of %d", 2, 3);
	limen_reply_reason(&one.reply, "%s", "");
	CU_ASSERT_STRING_EQUAL(one.reply.reason, "copied; 2 of 3; ");
	reply_case_end(&one);
}

/* Each costs what it is long, not what all before it are. */
static void
test_many_reasons(void)
{
	long before = get_peak();
	char last[310];
	reply_case one;
	size_t length;

	reply_case_start(&one, "{}");
	for (int i = 0; i < 3000; i++)
		limen_reply_reason(&one.reply, "%0300d", i);
	length = strlen(one.reply.reason);
	CU_ASSERT_EQUAL_FATAL(length, 3000 * 302 - 2);
	for (int i = 0; i < 3000; i++)
		CU_ASSERT_EQUAL(atoi(one.reply.reason + (size_t)i * 302), i);
	snprintf(last, sizeof(last), "; %0300d", 2999);
	CU_ASSERT_STRING_EQUAL(one.reply.reason + length - 302, last);
	CU_ASSERT(get_peak() - before < 64 * 1024);
	reply_case_end(&one);
}

/* A reason is cut at 4 MiB, and at 1000 bytes once a decision has told 8 MiB; the cut shows. */
static void
test_long_reasons(void)
{
	enum { LONG = 5 << 20, MOST = 4 << 20, LEAST = 1000 };
	char *text = malloc(LONG + 1);
	long before = get_peak();
	reply_case one;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, 'x', LONG);
	text[LONG] = '\0';
	reply_case_start(&one, "{}");
	limen_reply_reason(&one.reply, "%s", text);
	limen_reply_reason(&one.reply, "%s", "more");
	CU_ASSERT_EQUAL(strlen(one.reply.reason), MOST + strlen("..."));
	CU_ASSERT_STRING_EQUAL(one.reply.reason + MOST - 1, "x...");
	CU_ASSERT_FALSE(one.reply.untold);
	reply_take_room(&one.reply, (size_t)8 << 20);
	one.reply.reason = NULL;
	one.reply.reason_length = one.reply.reason_room = 0;
	one.reply.reason_cut = false;
	limen_reply_reason(&one.reply, "%s", "short");
	limen_reply_reason(&one.reply, "%s", text);
	limen_reply_reason(&one.reply, "%s", "more");
	CU_ASSERT(strncmp(one.reply.reason, "short; xxx", 10) == 0);
	CU_ASSERT_EQUAL(strlen(one.reply.reason), LEAST + strlen("; ") + strlen("..."));
	reply_case_end(&one);
	CU_ASSERT(get_peak() - before < 24 * 1024);
	free(text);
}

/* A character cut in two, as a module may do that shortens what it quotes. */
static void
test_torn(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	limen_reply_reason(&one.reply, "%s", "caf\xC3");
	limen_reply_reason(&one.reply, "%.*s", 1, "\xC3\xA9");
	limen_reply_reason(&one.reply, "%s", "\xFFx\xC0\x80y\xED\xA0\x80\xC3\xA9");
	CU_ASSERT_STRING_EQUAL(one.reply.reason, "caf?; ?; ?x??y???\xC3\xA9");
	limen_reply_warning(&one.reply, "a%sb", "\x80");
	CU_ASSERT_STRING_EQUAL(((const text_item *)one.reply.warnings.first)->text, "a?b");
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, NULL, "%s", "\xE2\x82");
	CU_ASSERT_STRING_EQUAL(first_violation(&one)->violation.message, "??");
	reply_case_end(&one);
}

/* Nor do the names of things: they are quoted, too. */
static void
test_torn_names(void)
{
	const char *const torn = "spec.caf\xC3";
	const char *const shown = "spec.caf?";
	reply_case one;

	reply_case_start(&one, "{}");
	one.reply.wants_origins = one.reply.wants_bounds = true;
	limen_reply_violation(&one.reply, LIMEN_CLASS_INVALID, torn, "v");
	limen_reply_violation(&one.reply, LIMEN_CLASS_INVALID, shown, "v");
	limen_reply_audit(&one.reply, torn, "a");
	limen_reply_origin(&one.reply, torn, "o");
	limen_reply_bound(&one.reply, torn, torn, LIMEN_RELATION_AT_MOST, torn);
	limen_reply_changed(&one.reply, torn);
	CU_ASSERT_STRING_EQUAL(first_violation(&one)->violation.field, shown);
	/* What looks the same is the same. */
	CU_ASSERT_EQUAL(one.reply.violations.count, 1);
	CU_ASSERT_STRING_EQUAL(((const annotation_item *)one.reply.annotations.first)->annotation.key, shown);
	CU_ASSERT_STRING_EQUAL(((const origin_item *)one.reply.origins.first)->origin.pointer, shown);
	CU_ASSERT_STRING_EQUAL(first_bound(&one)->field, shown);
	CU_ASSERT_STRING_EQUAL(first_bound(&one)->bound, shown);
	CU_ASSERT_STRING_EQUAL(first_bound(&one)->have, shown);
	CU_ASSERT_STRING_EQUAL(((const text_item *)one.reply.messages.first)->text, shown);
	reply_case_end(&one);
}

/* The texts of a list, joined by "|"; 'offset' is that of the text in an item. */
static const char *
joined(const item_list *list, size_t offset)
{
	static char text[200];
	size_t count = 0;

	text[0] = '\0';
	for (void *const *item = list->first; item != NULL; item = *item) {
		strcat(text, count == 0 ? "" : "|");
		strcat(text, *(const char *const *)((const char *)item + offset));
		count++;
	}
	CU_ASSERT_EQUAL(count, list->count);
	return text;
}

static void
test_lists(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	for (int i = 0; i < 3; i++) {
		limen_reply_note(&one.reply, "note %d", i);
		limen_reply_warning(&one.reply, "warning %d", i);
		limen_reply_audit(&one.reply, "key", "value %d", i);
	}
	CU_ASSERT_STRING_EQUAL(joined(&one.reply.notes, offsetof(text_item, text)), "note 0|note 1|note 2");
	CU_ASSERT_STRING_EQUAL(joined(&one.reply.warnings, offsetof(text_item, text)), "warning 0|warning 1|warning 2");
	CU_ASSERT_STRING_EQUAL(joined(&one.reply.annotations, offsetof(annotation_item, annotation.value)), "value 0|value 1|value 2");
	CU_ASSERT_STRING_EQUAL(((const annotation_item *)one.reply.annotations.first)->annotation.key, "key");
	CU_ASSERT_STRING_EQUAL(joined(&one.reply.violations, MESSAGE_OFFSET), "");
	reply_case_end(&one);
}

/* Repeated are those that say the same about the same. */
static void
test_violations(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, "spec.a", "%s is %d", "a", 1);
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, "spec.a", "a is 1");
	limen_reply_violation(&one.reply, LIMEN_CLASS_INVALID, "spec.a", "a is 1");
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, "spec.b", "a is 1");
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, NULL, "a is 1");
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, NULL, "a is 1");
	limen_reply_violation(&one.reply, LIMEN_CLASS_TOO_MANY, NULL, "slow down");
	limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, "spec.a", "a is 1");
	CU_ASSERT_STRING_EQUAL(joined(&one.reply.violations, MESSAGE_OFFSET), "a is 1|a is 1|a is 1|a is 1|slow down");
	CU_ASSERT_EQUAL(first_violation(&one)->next->violation.violation_class, LIMEN_CLASS_INVALID);
	CU_ASSERT_STRING_EQUAL(first_violation(&one)->next->next->violation.field, "spec.b");
	reply_case_end(&one);
}

/* Up to TEXT_MAP_FEW are compared with directly, and others found in a map. */
static void
test_repeated(void)
{
	for (size_t count = TEXT_MAP_FEW / 2 - 1; count <= TEXT_MAP_FEW + 2; count++) {
		reply_case one;

		reply_case_start(&one, "{}");
		for (int round = 0; round < 3; round++) {
			for (size_t i = 0; i < count; i++) {
				limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, "f", "%zu", i);
				limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, NULL, "%zu", i);
			}
		}
		CU_ASSERT_EQUAL(one.reply.violations.count, 2 * count);
		CU_ASSERT_FALSE(one.reply.violation_lost);
		reply_case_end(&one);
	}
}

static void
test_numbers(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	CU_ASSERT_EQUAL(one.reply.retry_after, -1);
	limen_reply_retry_after(&one.reply, 0);
	CU_ASSERT_EQUAL(one.reply.retry_after, 0);
	limen_reply_retry_after(&one.reply, 5);
	limen_reply_retry_after(&one.reply, 3);
	limen_reply_retry_after(&one.reply, -7);
	CU_ASSERT_EQUAL(one.reply.retry_after, 5);
	CU_ASSERT_FALSE(one.reply.has_priority);
	limen_reply_priority(&one.reply, 1.5);
	limen_reply_priority(&one.reply, -2.5);
	CU_ASSERT_TRUE(one.reply.has_priority);
	CU_ASSERT_EQUAL(one.reply.priority, -2.5);
	reply_case_end(&one);
}

static void
test_changed(void)
{
	reply_case one;

	reply_case_start(&one, "{}");
	limen_reply_changed(&one.reply, NULL);
	CU_ASSERT_TRUE(one.reply.changed);
	CU_ASSERT_EQUAL(one.reply.messages.count, 0);
	limen_reply_changed(&one.reply, "one");
	limen_reply_changed(&one.reply, "two");
	CU_ASSERT_STRING_EQUAL(joined(&one.reply.messages, offsetof(text_item, text)), "one|two");
	reply_case_end(&one);
}

static void
say_everything(limen_reply *reply)
{
	limen_value root = limen_request_document(reply->request);

	limen_reply_reason(reply, "r");
	limen_reply_reason(reply, "r");
	limen_reply_violation(reply, LIMEN_CLASS_TOO_MANY, "f", "v");
	limen_reply_note(reply, "n");
	limen_reply_warning(reply, "w");
	limen_reply_audit(reply, "k", "a");
	limen_reply_changed(reply, "c");
	limen_reply_set(reply, root, "b", "{\"c\": [1, 2, 3]}");
	limen_reply_insert(reply, limen_value_get(root, "a"), 0, "7");
	limen_reply_remove(reply, limen_value_at(limen_value_get(root, "a"), 0));
	limen_reply_replace(reply, "{\"x\": 1}", 8);
}

/* Is everything there that say_everything() said? */
static bool
is_complete(const limen_reply *reply)
{
	return strcmp(reply->reason, "r; r") == 0 && reply->violations.count == 1 &&
	       reply->notes.count == 2 && reply->warnings.count == 1 &&
	       reply->annotations.count == 1 && reply->messages.count == 1 &&
	       reply->change_count == 3 && reply->document != NULL;
}

/* A lost word would make the verdict look better than it is: it becomes an error. */
static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		reply_case one;

		reply_case_start(&one, "{\"a\": [1, 2]}");
		fail_malloc_once(n);
		say_everything(&one.reply);
		failed = fail_malloc_stop();
		if (reply_verdict(&one.reply, LIMEN_PASS) == LIMEN_PASS) {
			CU_ASSERT_TRUE(is_complete(&one.reply));
		} else {
			CU_ASSERT_TRUE(failed);
		}
		reply_case_end(&one);
	}
}

/* A refusal stands without its words, but it is known which kind of them is lost. */
static void
test_no_memory_to_refuse(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		reply_case one;

		reply_case_start(&one, "{}");
		one.reply.wants_bounds = true;
		fail_malloc_once(n);
		for (int i = 0; i < 40; i++) {
			limen_reply_violation(&one.reply, LIMEN_CLASS_TOO_MANY, "f", "%99d", i);
			limen_reply_detail(&one.reply, "%99d", i);
			limen_reply_note(&one.reply, "%99d", i);
			limen_reply_warning(&one.reply, "%99d", i);
			limen_reply_audit(&one.reply, "k", "%99d", i);
			limen_reply_reason(&one.reply, "%9d", i);
			limen_reply_bound(&one.reply, "f", "1", LIMEN_RELATION_AT_MOST, "2");
		}
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_FAIL), LIMEN_FAIL);
		CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_PASS),
		                failed ? LIMEN_ERROR : LIMEN_PASS);
		CU_ASSERT_EQUAL(one.reply.violation_lost, one.reply.violations.count < 40);
		reply_case_end(&one);
	}
}

/* What is too long is cut, and says so: a number would be another. */
static void
test_long_bounds(void)
{
	static const struct {
		int have, bound; /* bytes */
		size_t have_kept, bound_kept;
	} cases[] = { { 200, 4000, 200, 4000 }, { 201, 4001, 203, 4003 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const limen_bound *missed;
		reply_case one;
		char have[300], bound[5000];

		snprintf(have, sizeof(have), "%0*d", cases[i].have, 1);
		snprintf(bound, sizeof(bound), "%0*d", cases[i].bound, 1);
		reply_case_start(&one, "{}");
		one.reply.wants_bounds = true;
		limen_reply_bound(&one.reply, "f", have, LIMEN_RELATION_AT_MOST, bound);
		missed = first_bound(&one);
		CU_ASSERT_EQUAL(strlen(missed->have), cases[i].have_kept);
		CU_ASSERT_EQUAL(strlen(missed->bound), cases[i].bound_kept);
		CU_ASSERT_EQUAL(strcmp(missed->bound + cases[i].bound_kept - 3, "...") == 0, i == 1);
		CU_ASSERT_EQUAL(strcmp(missed->have + cases[i].have_kept - 3, "...") == 0, i == 1);
		reply_case_end(&one);
	}
}

/* Of those that no trace lists there is no more than their number. */
static void
test_many_bounds(void)
{
	const bound_item *item;
	size_t listed = 0;
	reply_case one;

	reply_case_start(&one, "{}");
	one.reply.wants_bounds = true;
	for (int i = 0; i < 1002; i++)
		limen_reply_bound(&one.reply, "f", NULL, LIMEN_RELATION_AT_MOST, "2");
	for (item = one.reply.bounds.first; item != NULL; item = item->next)
		listed++;
	CU_ASSERT_EQUAL(one.reply.bounds.more, 2);
	CU_ASSERT_EQUAL(one.reply.bounds.count, 1000);
	CU_ASSERT_EQUAL(listed, 1000);
	reply_case_end(&one);
}

/* A new reply may not make calls that only some kinds of modules may. */
static void
test_permissions(void)
{
	reply_case one;

	for (int kind = 0; kind < 3; kind++) {
		reply_case_start(&one, "{}");
		reply_finish(&one.reply);
		reply_start(&one.reply, &one.decision->arena, &one.request);
		if (kind == 0)
			limen_reply_violation(&one.reply, LIMEN_CLASS_FORBIDDEN, NULL, "no");
		else if (kind == 1)
			limen_reply_priority(&one.reply, 1);
		else
			limen_reply_changed(&one.reply, NULL);
		CU_ASSERT_EQUAL(reply_verdict(&one.reply, LIMEN_FAIL), LIMEN_ERROR);
		reply_case_end(&one);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "verdicts that do not exist are errors", test_verdicts },
		{ "a new reply has no permissions", test_permissions },
		{ "reasons are copied and joined", test_reasons },
		{ "many of them take no more memory than they are long", test_many_reasons },
		{ "long reasons are cut", test_long_reasons },
		{ "what is no UTF-8 does not tear the answer", test_torn },
		{ "whether it is a text, a field, a key or a pointer", test_torn_names },
		{ "lists keep their order", test_lists },
		{ "violations are reported once", test_violations },
		{ "of few violations and of many", test_repeated },
		{ "the longest wait and the last priority count", test_numbers },
		{ "changes may have messages", test_changed },
		{ "a word lost to a shortage of memory makes an error", test_no_memory },
		{ "but of no refusal", test_no_memory_to_refuse },
		{ "long bounds are cut", test_long_bounds },
		{ "many bounds are counted", test_many_bounds },
		{ NULL, NULL },
	};

	return suite_run("core/reply", tests);
}
