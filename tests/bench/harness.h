/* SPDX-License-Identifier: Apache-2.0 */
/*
 * harness.h - what all programs that measure have in common: how often a thing is
 * called, how the figures of many rounds become one, and how they are shown.
 *
 * A machine is never quite idle.  So a round is a fraction of a millisecond, and of
 * many rounds the median, the quartiles and the fastest are told; time is that of
 * the thread alone, on one core, except where threads or waiting are measured.
 */
#ifndef LIMEN_TESTS_BENCH_HARNESS_H
#define LIMEN_TESTS_BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thing that is measured. */
typedef struct bench_row {
	const char *name;
	/* Does it 'calls' times. */
	void (*run)(void *data, size_t calls);
	void *data;
	/* Done before each round and not timed; NULL: nothing. */
	void (*ready)(void *data, size_t calls);
	double goal;      /* nanoseconds a call; 0: none */
	const char *peer; /* what it is compared with: the name of an earlier row, or NULL */
	double times;     /* instead of a goal: so many times the peer at most; 0: none */
	bool wall;        /* what waits is measured by the clock on the wall */
} bench_row;

/*
 * Reads the arguments all programs have ("--help" says which) and pins the program
 * to a core.
 */
void bench_start(const char *program, int argc, char **argv);

/* Is this only to see whether the program runs? */
bool bench_is_smoke(void);

/*
 * Are instructions counted?  They say nothing of caches and of other threads, and take
 * fifty times as long.
 */
bool bench_is_counting(void);

/* Is row 'name' among those that are wanted?  Spares making what it needs. */
bool bench_wants(const char *name);

/* 'size', but little of it if this is only to see whether the program runs. */
size_t bench_size(size_t size);

/* Measures all rows in turns, so that what else the machine does slows all of them. */
void bench_rows(const bench_row *rows, size_t count);

/*
 * Shows what was measured otherwise, nanoseconds a call in each of 'count' rounds; of
 * 'row' name and goal count.
 */
void bench_samples(const bench_row *row, double *items, size_t count);

/* How long each row is measured, in nanoseconds. */
double bench_row_time(void);

#define BENCH_NO_GOAL (-1.0)

/* Shows a figure that was found otherwise; 'goal' is the most it should be. */
void bench_figure(const char *name, double value, const char *unit, double goal);

/* The same for what should be at least 'goal'. */
void bench_figure_least(const char *name, double value, const char *unit, double goal);

/* Says that a row is left out, and why. */
void bench_skip(const char *name, const char *why);

/* The fastest of some runs of what is too long to be called often, in nanoseconds. */
double bench_once(void (*run)(void *data), void *data);

/* Of the calling thread. */
double bench_thread_time(void);
double bench_wall_time(void);

/* Lets the threads that are made from now on run on any core. */
void bench_unpin(void);
void bench_pin(void);

/* A pseudo-random number, the same in every run. */
uint64_t bench_random(uint64_t *state);

/* Ends the program with a message. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps the compiler from leaving out work whose result nobody looks at. */
#define bench_use(value) __asm__ volatile("" : : "g"(value) : "memory")

/* Writes the report if one is wanted.  To be returned from main(). */
int bench_finish(void);

#endif
