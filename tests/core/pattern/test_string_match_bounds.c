/* SPDX-License-Identifier: Apache-2.0 */
/* Time, size and threads: what a match may cost and who may ask it. */
#include "match_case.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static double
read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Patterns whose time grows faster than the text, on 'length' bytes of 'fill' and a last one. */
static void
check_bounded(const char *pattern, unsigned flags, size_t length, char fill, char last)
{
	char *text = malloc(length);
	limen_string_match *match = new_match(REGEX, pattern, strlen(pattern), flags);
	double start = read_clock();
	double spent;
	limen_verdict verdict;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, fill, length);
	text[length - 1] = last;
	verdict = limen_string_match_test(match, text, length);
	CU_ASSERT_EQUAL(verdict, LIMEN_ERROR);
	spent = read_clock() - start;
	/* Far above what it takes, for sanitizers and slow machines; unbounded, it takes years. */
	CU_ASSERT_TRUE(spent < 20);
	if (verdict != LIMEN_ERROR || spent > 1)
		fprintf(stderr, "# %.40s on %zu bytes: %d, %.2f s\n", pattern, length, (int)verdict,
		        spent);
	limen_string_match_free(match);
	free(text);
}

static void
test_catastrophes(void)
{
	check_bounded("(a+)+$", 0, 60, 'a', 'b');
	check_bounded("(a+)+$", INVERT, 60, 'a', 'b');
	check_bounded("(a|a)*$", 0, 60, 'a', 'b');
	check_bounded("(?:a|a){40,}$", 0, 60, 'a', 'b');
	check_bounded("(a*)*\\1$", 0, 200, 'a', 'b');
	check_bounded("\\d+[xy]", 0, 1 << 20, '1', '1');
	check_bounded(".*.*.*[xy]", 0, 1 << 14, '1', '1');
	check_bounded("(a+)+$", 0, 1 << 20, 'a', 'b');
}

/*
 * Items that go far before they fail, on runs of "a" and a last few bytes.  None of the texts
 * matches, so that only the budget makes the answer an error.
 */
static void
test_unseen_ways(void)
{
	static const struct {
		const char *pattern;
		unsigned flags;
		size_t length;
		size_t run; /* of "a" between two spaces */
		const char *last;
	} rows[] = {
		{ "(.+)\\1c", CASELESS, 200000, SIZE_MAX, "bc" },
		{ "(.+)\\1c", 0, 200000, SIZE_MAX, "bc" },
		{ "(?P<n>.+)(?P=n)c", CASELESS, 200000, SIZE_MAX, "bc" },
		{ "(.+)\\1{2}c", CASELESS, 200000, SIZE_MAX, "bc" },
		{ "[a-z]{60000}!", 0, 1 << 20, 59999, " !" },
		{ "(?x)[a-z]{60000} # least count\n!", 0, 1 << 20, 59999, " !" },
		{ "\\w{1000}!", 0, 1 << 20, 999, " !" },
		{ "\\w{1000}!", CASELESS, 1 << 20, 999, " !" },
		{ "(?:(?<=a{60000}b)|a)+!", 0, 1 << 20, SIZE_MAX, "b?!" },
		{ "\\X{3}[xy]", 0, 1 << 20, SIZE_MAX, "b" },
		{ "(*script_run:.+)[xy]", 0, 4096, SIZE_MAX, "b" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = malloc(rows[i].length);
		size_t tail = strlen(rows[i].last);
		limen_verdict verdict;

		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		memset(text, 'a', rows[i].length);
		for (size_t at = rows[i].run; at < rows[i].length; at += rows[i].run + 1)
			text[at] = ' ';
		memcpy(text + rows[i].length - tail, rows[i].last, tail);
		verdict = test_bytes(REGEX, rows[i].pattern, strlen(rows[i].pattern),
		                     rows[i].flags, text, rows[i].length);
		CU_ASSERT_EQUAL(verdict, LIMEN_ERROR);
		if (verdict != LIMEN_ERROR)
			fprintf(stderr, "# %s: %d\n", rows[i].pattern, (int)verdict);
		free(text);
	}
}

/* The same items where nobody means harm. */
static void
test_ordinary_ways(void)
{
	static const struct {
		const char *pattern;
		limen_verdict verdict;
	} rows[] = {
		{ "\\b(\\w+) \\1\\b", LIMEN_FAIL },
		{ "\\b(\\w+) brown \\1\\b", LIMEN_FAIL },
		{ "[0-9]{4}-[0-9]{2}-[0-9]{2}", LIMEN_FAIL },
		{ "\\w{5} \\w{3}", LIMEN_PASS },
		{ "(?<!quick )brown", LIMEN_FAIL },
		{ "\\uffff+", LIMEN_FAIL },
		{ "\\w{200}", LIMEN_FAIL },
	};
	static const char words[] = "the quick brown fox jumps over a lazy dog; ";
	char text[10000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = words[i % (sizeof(words) - 1)];
	for (size_t i = 0; i < COUNT(rows); i++) {
		limen_verdict verdict = test_bytes(REGEX, rows[i].pattern, strlen(rows[i].pattern),
		                                   0, text, sizeof(text));

		CU_ASSERT_EQUAL(verdict, rows[i].verdict);
		if (verdict != rows[i].verdict)
			fprintf(stderr, "# %s: %d\n", rows[i].pattern, (int)verdict);
	}
}

static void
test_long_texts(void)
{
	static const size_t length = 1 << 20;
	char *text = malloc(length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (size_t i = 0; i < length; i++)
		text[i] = i % 7 == 6 ? '\n' : 'x';
	memcpy(text + length - 4, "Need", 4);
	for (unsigned flags = 0; flags <= CASELESS; flags++) {
		CU_ASSERT_EQUAL(test_bytes(CONTAINS, "Need", 4, flags, text, length), LIMEN_PASS);
		CU_ASSERT_EQUAL(test_bytes(CONTAINS, "nope", 4, flags, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(EXACT, text, 1000, flags, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "N.*d$", 5, flags, text, length), LIMEN_PASS);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "x+Nope", 6, flags, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "(?s)^.*d$", 9, flags, text, length), LIMEN_PASS);
	}
	CU_ASSERT_EQUAL(test_bytes(EXACT, text, length, 0, text, length), LIMEN_PASS);
	free(text);
}

/* More backtracking points than the stack of JIT code holds, and fewer than the budget. */
static void
test_deep_text(void)
{
	char text[20000];

	memset(text, 'a', sizeof(text));
	CU_ASSERT_EQUAL(test_bytes(REGEX, "^(a|b)*$", 8, 0, text, sizeof(text)), LIMEN_PASS);
}

/* Longer than PCRE2 has room for with a call before each character, and far too long for it. */
static void
test_long_patterns(void)
{
	static const size_t length = 12000;
	char *pattern = malloc(10 * length);
	limen_string_match *match = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(pattern);
	memset(pattern, 'a', 10 * length);
	for (int style = EXACT; style <= REGEX; style++) {
		for (unsigned flags = 0; flags <= CASELESS; flags++) {
			CU_ASSERT_EQUAL(test_bytes((limen_match_style)style, pattern, length, flags,
			                           pattern, length),
			                LIMEN_PASS);
			CU_ASSERT_EQUAL(test_bytes((limen_match_style)style, pattern, length, flags,
			                           pattern, length - 1),
			                LIMEN_FAIL);
		}
	}
	CU_ASSERT_EQUAL(limen_string_match_new(REGEX, pattern, 10 * length, 0, &match, NULL),
	                LIMEN_EINVAL);
	memcpy(pattern + length, "|(a+)+$", 8);
	check_bounded(pattern, 0, 60, 'a', 'b');
	memcpy(pattern + length, "|(.+)\\1c", 9);
	check_bounded(pattern, CASELESS, 200000, 'a', 'b');
	free(pattern);
}

struct worker {
	const limen_string_match *match;
	size_t wrong;
};

static void *
test_repeatedly(void *data)
{
	static const struct {
		const char *text;
		limen_verdict verdict;
	} rows[] = {
		{ "www.example.org", LIMEN_PASS },
		{ "WWW.EXAMPLE.ORG", LIMEN_PASS },
		{ "www.example.com", LIMEN_FAIL },
		{ "\xff", LIMEN_ERROR },
	};
	struct worker *worker = data;

	for (size_t i = 0; i < 4000; i++) {
		const char *text = rows[i % COUNT(rows)].text;

		worker->wrong += limen_string_match_test(worker->match, text, strlen(text)) !=
		                 rows[i % COUNT(rows)].verdict;
	}
	return NULL;
}

static void
test_threads(void)
{
	static const char pattern[] = "^(\\w+\\.)+org$";
	limen_string_match *match = new_match(REGEX, pattern, strlen(pattern), CASELESS);
	struct worker workers[4];
	pthread_t threads[4];

	for (size_t i = 0; i < COUNT(threads); i++) {
		workers[i] = (struct worker){ .match = match };
		CU_ASSERT_EQUAL_FATAL(
			pthread_create(&threads[i], NULL, test_repeatedly, &workers[i]), 0);
	}
	for (size_t i = 0; i < COUNT(threads); i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(workers[i].wrong, 0);
	}
	limen_string_match_free(match);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "catastrophic patterns end soon, in an error", test_catastrophes },
		{ "repeats, references and assertions pay for ways that fail", test_unseen_ways },
		{ "the same in ordinary texts stay within the budget", test_ordinary_ways },
		{ "a text of one megabyte", test_long_texts },
		{ "patterns of many kilobytes", test_long_patterns },
		{ "a text too deep for the JIT stack", test_deep_text },
		{ "four threads share one match", test_threads },
		{ NULL, NULL },
	};

	return suite_run("core/string_match_bounds", tests);
}
