/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_review.c - what it costs to read an AdmissionReview: with jansson, into
 * a document of limen, and into a request with its envelope and hints.  The
 * goals are 2.5 us for the document of 3.7 KB, 3.4 us for that of 4.9 KB, and
 * 5 us for the request.
 *
 *	make tests/bench/bench_review && tests/bench/bench_review [FILE]...
 */
#include <jansson.h>
#include <limen/diag.h>
#include <limen/request.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../programs/common/review.h"

enum {
	ROUNDS = 1000,
	TEXT_MAX = 1 << 20
};

static double
read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void
call_jansson(const char *text, size_t length)
{
	json_t *tree = json_loadb(text, length, 0, NULL);

	if (tree == NULL)
		abort();
	json_decref(tree);
}

static limen_request *reused;

static void
call_document(const char *text, size_t length)
{
	if (limen_request_parse(reused, text, length, NULL) != LIMEN_OK)
		abort();
}

static void
call_review(const char *text, size_t length)
{
	const review_peer peer = { "192.0.2.1", "192.0.2.2" };
	const char *api;
	limen_request *made = review_parse(text, length, &peer, &api, NULL);

	if (made == NULL)
		abort();
	limen_request_free(made);
}

typedef void (*reading)(const char *text, size_t length);

/* So few calls a round that on a busy machine, too, some rounds are not interrupted. */
static const struct row {
	const char *name;
	reading call;
	int calls;
} rows[] = {
	{ "jansson", call_jansson, 10 },
	{ "document", call_document, 100 },
	{ "request", call_review, 100 },
};

enum {
	ROW_COUNT = sizeof(rows) / sizeof(rows[0])
};

static double
measure(const struct row *row, const char *text, size_t length)
{
	double start = read_clock();

	for (int i = 0; i < row->calls; i++)
		row->call(text, length);
	return (read_clock() - start) / row->calls;
}

static void
report(const char *path, size_t length, const double *best)
{
	printf("%s, %zu bytes\n", path, length);
	for (size_t i = 0; i < ROW_COUNT; i++)
		printf("  %-10s %9.0f ns %8.1f MB/s %7.2f x jansson\n", rows[i].name, best[i],
		       (double)length * 1e3 / best[i], best[0] / best[i]);
}

/* The fastest round of each; they take turns, so that a busy machine slows all of them. */
static void
compare(const char *path)
{
	static char text[TEXT_MAX];
	FILE *stream = fopen(path, "r");
	double best[ROW_COUNT] = { 0 };
	size_t length;

	if (stream == NULL) {
		perror(path);
		exit(1);
	}
	length = fread(text, 1, sizeof(text), stream);
	fclose(stream);
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < ROW_COUNT; i++) {
			double took = measure(&rows[i], text, length);

			if (round == 0 || took < best[i])
				best[i] = took;
		}
	}
	report(path, length, best);
}

int
main(int argc, char **argv)
{
	reused = limen_request_new(LIMEN_OBJECT);
	if (reused == NULL)
		abort();
	for (int i = 1; i < argc; i++)
		compare(argv[i]);
	if (argc == 1) {
		compare(REVIEWS "/pod-small.json");
		compare(REVIEWS "/pod-large.json");
	}
	limen_request_free(reused);
	return 0;
}
