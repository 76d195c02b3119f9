/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - the figures of one program: as a table, and as JSON with what they
 * were measured on.
 */
#ifndef LIMEN_TESTS_BENCH_REPORT_H
#define LIMEN_TESTS_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/* Of one row; in nanoseconds a call unless 'unit' says otherwise. */
typedef struct bench_result {
	const char *name;
	const char *unit;
	const char *peer; /* the row this one is compared with, or NULL */
	double goal;      /* negative: none */
	double times;     /* the goal is so many times the peer; 0: it is 'goal' */
	bool least;       /* the goal is the least it should be, not the most */
	double best;
	double low; /* a quarter of the rounds took less */
	double median;
	double mean;
	double high; /* a quarter took more */
	size_t calls; /* in a round */
	size_t rounds;
} bench_result;

/* 'heading': above the table. */
void report_start(const char *program, bool heading);

/* Shows how far it is, if somebody is looking. */
void report_progress(size_t done, size_t of);

/* Adds a row to the table; its texts are kept. */
void report_add(const bench_result *result);
void report_skip(const char *name, const char *why);

/* Writes the report to 'path' unless that is NULL; false, with a message, if that fails. */
bool report_finish(const char *path);

#endif
