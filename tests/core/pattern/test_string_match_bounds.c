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

enum {
	TEXT_MAX = 64 << 10,
	LONG_PATTERN = 12000
};

static void
test_catastrophes(void)
{
	check_bounded("(a+)+$", 0, 60, 'a', 'b');
	check_bounded("(a+)+$", INVERT, 60, 'a', 'b');
	check_bounded("(a|a)*$", 0, 60, 'a', 'b');
	check_bounded("(a|a)*$", INVERT, 60, 'a', 'b');
	check_bounded("(?:a|a){40,}$", 0, 60, 'a', 'b');
	check_bounded("(a*)*\\1$", 0, 200, 'a', 'b');
	check_bounded(".*.*.*[xy]", 0, 1 << 14, '1', '1');
	check_bounded("(a+)+$", 0, TEXT_MAX, 'a', 'b');
}

/* A text of 'length' bytes: 'fill' but for its end. */
static char *
make_text(size_t length, char fill, const char *last)
{
	char *text = malloc(length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, fill, length);
	memcpy(text + length - strlen(last), last, strlen(last));
	return text;
}

/* A text above the cap of regular expressions is an error, inverted or not. */
static void
test_text_max(void)
{
	static const struct {
		const char *pattern;
		size_t most;
	} rows[] = {
		{ "^a+b$", TEXT_MAX },
		{ "nowhere", TEXT_MAX },
		{ "(a)b", TEXT_MAX },
		{ "(a)\\1b", TEXT_MAX },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t length = strlen(rows[i].pattern);
		bool found = i != 1;
		char *text = make_text(rows[i].most + 1, 'a', "b");

		CU_ASSERT_EQUAL(test_bytes(REGEX, rows[i].pattern, length, 0, text + 1,
		                           rows[i].most),
		                found ? LIMEN_PASS : LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, rows[i].pattern, length, INVERT, text + 1,
		                           rows[i].most),
		                found ? LIMEN_FAIL : LIMEN_PASS);
		for (unsigned flags = 0; flags <= (CASELESS | INVERT); flags++)
			CU_ASSERT_EQUAL(test_bytes(REGEX, rows[i].pattern, length, flags, text,
			                           rows[i].most + 1),
			                LIMEN_ERROR);
		free(text);
	}
}

/*
 * PCRE2 does not count the way that these go at each place, so that the processor time bounds it,
 * with JIT code or without ((*NO_JIT) is PCRE2's own).  They are longest on digits: "b!yc" has what
 * the patterns end with, and matches none where they are to go far.
 */
static void
test_uncounted(void)
{
	static const struct {
		const char *pattern;
		unsigned flags;
	} rows[] = {
		{ "(*NO_JIT)\\d+[xy]", 0 },
		{ "[a-z0-9]+[a-z]+c", 0 },
		{ "(*NO_JIT)[a-z0-9]+[a-z]+c", 0 },
		{ "([a-z0-9-]+\\.)*[a-z0-9]+[a-z]+c", 0 },
		{ "(\\w+\\.)*\\w+\\d+[cy]", 0 },
		{ "(*NO_JIT)(\\w+\\.)*\\w+\\d+[cy]", 0 },
		{ "(?:\\d+x|.)*y", 0 },
		{ "(?:(?=1+$)1)*!", 0 },
		{ "[0-9]{60000}!", 0 },
		{ "1{0,300}1{0,300}[xz]", 0 },
		{ "(\\w+)\\w{0,40}\\1!", CASELESS },
		{ "(.+)\\1c", CASELESS },
		{ "(?P<n>.+)(?P=n)c", 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = make_text(TEXT_MAX, '1', "b!yc");
		double start = read_clock();
		double spent;

		test_bytes(REGEX, rows[i].pattern, strlen(rows[i].pattern), rows[i].flags, text,
		           TEXT_MAX);
		spent = read_clock() - start;
		CU_ASSERT_TRUE(spent < 20);
		if (spent > 2)
			fprintf(stderr, "# %s: %.2f s\n", rows[i].pattern, spent);
		free(text);
	}
}

/* The same items where nobody means harm. */
static void
test_ordinary_ways(void)
{
	static const struct {
		const char *pattern;
		size_t length;
		limen_verdict verdict;
	} rows[] = {
		{ "\\b(\\w+) \\1\\b", 2000, LIMEN_FAIL },
		{ "\\b(\\w+) brown \\1\\b", 2000, LIMEN_FAIL },
		{ "[0-9]{4}-[0-9]{2}-[0-9]{2}", 10000, LIMEN_FAIL },
		{ "\\w{5} \\w{3}", 10000, LIMEN_PASS },
		{ "(?<!quick )brown", 10000, LIMEN_FAIL },
		{ "\\uffff+", 10000, LIMEN_FAIL },
		{ "\\w{200}", 10000, LIMEN_FAIL },
		{ "^(\\w+[ ;]*)*$", 2000, LIMEN_PASS },
	};
	static const char words[] = "the quick brown fox jumps over a lazy dog; ";
	char text[10000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = words[i % (sizeof(words) - 1)];
	for (size_t i = 0; i < COUNT(rows); i++) {
		limen_verdict verdict = test_bytes(REGEX, rows[i].pattern, strlen(rows[i].pattern),
		                                   0, text, rows[i].length);

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
	const char *end;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	end = text + length - TEXT_MAX;
	for (size_t i = 0; i < length; i++)
		text[i] = i % 7 == 6 ? '\n' : 'x';
	memcpy(text + length - 4, "Need", 4);
	for (unsigned flags = 0; flags <= CASELESS; flags++) {
		CU_ASSERT_EQUAL(test_bytes(CONTAINS, "Need", 4, flags, text, length), LIMEN_PASS);
		CU_ASSERT_EQUAL(test_bytes(CONTAINS, "nope", 4, flags, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(EXACT, text, 1000, flags, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "N.*d$", 5, flags, end, TEXT_MAX), LIMEN_PASS);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "x+Nope", 6, flags, end, TEXT_MAX), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "(?s)^.*d$", 9, flags, end, TEXT_MAX), LIMEN_PASS);
	}
	CU_ASSERT_EQUAL(test_bytes(EXACT, text, length, 0, text, length), LIMEN_PASS);
	free(text);
}

/* Texts on both sides of the length from which the time of a search is watched. */
static void
test_short_texts(void)
{
	for (size_t length = 126; length <= 130; length++) {
		char *text = make_text(length, 'a', "b");

		CU_ASSERT_EQUAL(test_bytes(REGEX, "^a+b$", 5, 0, text, length), LIMEN_PASS);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "^a+b$", 5, INVERT, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "^a+$", 4, 0, text, length), LIMEN_FAIL);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "(*NO_JIT)^a+b$", 14, 0, text, length), LIMEN_PASS);
		CU_ASSERT_EQUAL(test_bytes(REGEX, "(a+)+[bc]\\d", 11, 0, text, length), LIMEN_ERROR);
		text[0] = '\xff';
		CU_ASSERT_EQUAL(test_bytes(REGEX, "a+b$", 4, 0, text, length), LIMEN_ERROR);
		free(text);
	}
}

/* More backtracking points than the stack of JIT code holds; then than memory may. */
static void
test_deep_text(void)
{
	char text[20000];

	memset(text, 'a', sizeof(text));
	CU_ASSERT_EQUAL(test_bytes(REGEX, "^(a|b)*$", 8, 0, text, 3000), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(REGEX, "^(a|b)*$", 8, 0, text, sizeof(text)), LIMEN_ERROR);
	CU_ASSERT_EQUAL(test_bytes(REGEX, "^(a|b)*$", 8, INVERT, text, sizeof(text)), LIMEN_ERROR);
}

/* As long as PCRE2 has room for, and far too long for it. */
static void
test_long_patterns(void)
{
	static const size_t length = LONG_PATTERN;
	char *pattern = malloc(10 * length);
	limen_string_match *match = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(pattern);
	memset(pattern, 'a', 10 * length);
	for (int style = EXACT; style <= CONTAINS; style++) {
		for (unsigned flags = 0; flags <= CASELESS; flags++) {
			CU_ASSERT_EQUAL(test_bytes((limen_match_style)style, pattern, length, flags,
			                           pattern, length),
			                LIMEN_PASS);
			CU_ASSERT_EQUAL(test_bytes((limen_match_style)style, pattern, length, flags,
			                           pattern, length - 1),
			                LIMEN_FAIL);
		}
	}
	/* A list of names, which PCRE2 has no room to watch, is for short texts. */
	memcpy(pattern + length, "|b+", 3);
	CU_ASSERT_EQUAL(test_bytes(REGEX, pattern, length + 3, 0, "b", 1), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(REGEX, pattern, length + 3, 0, pattern, 1024), LIMEN_FAIL);
	CU_ASSERT_EQUAL(test_bytes(REGEX, pattern, length + 3, INVERT, pattern, 1025), LIMEN_ERROR);
	memset(pattern + length, 'a', 3);
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
		{ "the longest text for a regular expression", test_text_max },
		{ "ways that PCRE2 does not count", test_uncounted },
		{ "ordinary texts stay within the limits", test_ordinary_ways },
		{ "a text so short that its search is not watched", test_short_texts },
		{ "a text of one megabyte", test_long_texts },
		{ "patterns of many kilobytes", test_long_patterns },
		{ "texts too deep for the JIT stack, and for the heap", test_deep_text },
		{ "four threads share one match", test_threads },
		{ NULL, NULL },
	};

	return suite_run("core/string_match_bounds", tests);
}
