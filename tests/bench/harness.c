/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report.h"

enum {
	ROUNDS_MAX = 4000,
	ROUNDS_MIN = 9,
	SMOKE_SIZE = 200,
	COUNTED = 200
};

/* What a round takes: so little that on a busy machine, too, many are not interrupted. */
#define ROUND_TIME 200e3

static struct {
	const char *program;
	const char *report; /* file, or NULL */
	const char *only;
	double time; /* for one row, in nanoseconds */
	bool smoke;
	bool count; /* for instructions.py */
	bool bare;  /* no heading */
	cpu_set_t allowed;
	int core;
} setting = { .time = 400e6, .core = -1 };

static double
read_clock(clockid_t which)
{
	struct timespec now;

	clock_gettime(which, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double
bench_thread_time(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double
bench_wall_time(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

void
bench_die(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", setting.program);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

uint64_t
bench_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

bool
bench_is_smoke(void)
{
	return setting.smoke;
}

bool
bench_is_counting(void)
{
	return setting.count;
}

double
bench_row_time(void)
{
	return setting.time;
}

size_t
bench_size(size_t size)
{
	return setting.smoke && size > SMOKE_SIZE ? SMOKE_SIZE : size;
}

bool
bench_wants(const char *name)
{
	return setting.only == NULL || strstr(name, setting.only) != NULL;
}

/* The last core that is allowed: interrupts tend to be on the first. */
void
bench_pin(void)
{
	cpu_set_t one;

	if (setting.core < 0)
		return;
	CPU_ZERO(&one);
	CPU_SET((size_t)setting.core, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

void
bench_unpin(void)
{
	if (setting.core >= 0)
		sched_setaffinity(0, sizeof(setting.allowed), &setting.allowed);
}

static void
choose_core(void)
{
	if (sched_getaffinity(0, sizeof(setting.allowed), &setting.allowed) != 0)
		return;
	for (size_t i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, &setting.allowed))
			setting.core = (int)i;
	}
	bench_pin();
}

static _Noreturn void
show_help(FILE *out, int status)
{
	fprintf(out,
	        "%s [--time SECONDS] [--only TEXT] [--json FILE] [--smoke] [--count] [--bare]\n"
	        "  --time SECONDS  how long each row is measured (0.4)\n"
	        "  --only TEXT     rows whose names hold TEXT\n"
	        "  --json FILE     write a report\n"
	        "  --smoke         only see whether everything runs\n"
	        "  --count         call each row as often as instructions.py expects\n"
	        "  --bare          no heading above the table\n",
	        setting.program);
	exit(status);
}

static void
read_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--smoke") == 0)
			setting.smoke = true;
		else if (strcmp(argv[i], "--count") == 0)
			setting.count = true;
		else if (strcmp(argv[i], "--bare") == 0)
			setting.bare = true;
		else if (strcmp(argv[i], "--help") == 0)
			show_help(stdout, 0);
		else if (strcmp(argv[i], "--time") == 0 && i + 1 < argc)
			setting.time = atof(argv[++i]) * 1e9;
		else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
			setting.only = argv[++i];
		else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc)
			setting.report = argv[++i];
		else
			show_help(stderr, 2);
	}
}

void
bench_start(const char *program, int argc, char **argv)
{
	setting.program = program;
	read_arguments(argc, argv);
	choose_core();
	report_start(program, !setting.bare);
}

static double
clock_of(const bench_row *row)
{
	return row->wall ? bench_wall_time() : bench_thread_time();
}

static double
time_calls(const bench_row *row, size_t calls)
{
	double start;

	if (row->ready != NULL)
		row->ready(row->data, calls);
	start = clock_of(row);
	row->run(row->data, calls);
	return clock_of(row) - start;
}

/* How many calls make a round. */
static size_t
calibrate(const bench_row *row)
{
	size_t calls = 1;

	time_calls(row, 1);
	if (setting.smoke)
		return 1;
	while (calls < SIZE_MAX / 2) {
		double took = time_calls(row, calls);

		if (took >= ROUND_TIME / 2)
			return calls;
		calls = took < ROUND_TIME / 20 ? calls * 10
		                               : (size_t)((double)calls * ROUND_TIME / took) + 1;
	}
	return calls;
}

/* Where the rounds of one row are kept. */
typedef struct rounds {
	size_t calls;
	size_t wanted;
	size_t count;
	double *items; /* nanoseconds a call */
} rounds;

static void
prepare(rounds *made, const bench_row *row)
{
	double length;

	made->calls = calibrate(row);
	length = setting.smoke ? 1 : time_calls(row, made->calls);
	made->wanted = (size_t)(setting.time / (length < 1 ? 1 : length));
	if (made->wanted < ROUNDS_MIN)
		made->wanted = ROUNDS_MIN;
	if (made->wanted > ROUNDS_MAX)
		made->wanted = ROUNDS_MAX;
	if (setting.smoke)
		made->wanted = 1;
	made->items = calloc(made->wanted, sizeof(*made->items));
	if (made->items == NULL)
		bench_die("out of memory");
}

static int
compare_numbers(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return left < right ? -1 : left > right;
}

static bench_result
sum_up(const bench_row *row, rounds *made)
{
	double sum = 0;

	for (size_t i = 0; i < made->count; i++)
		sum += made->items[i];
	qsort(made->items, made->count, sizeof(*made->items), compare_numbers);
	return (bench_result){
		.name = row->name,
		.unit = "ns",
		.peer = row->peer,
		.goal = row->goal == 0 ? BENCH_NO_GOAL : row->goal,
		.times = row->times,
		.best = made->items[0],
		.low = made->items[made->count / 4],
		.median = made->items[made->count / 2],
		.mean = sum / (double)made->count,
		.high = made->items[made->count * 3 / 4],
		.calls = made->calls,
		.rounds = made->count,
	};
}

/* One round of each row after the other until all have theirs. */
static void
measure(const bench_row *rows, rounds *all, size_t count)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most = all[i].wanted > most ? all[i].wanted : most;
	for (size_t turn = 0; turn < most; turn++) {
		for (size_t i = 0; i < count; i++) {
			if (all[i].count * most > turn * all[i].wanted ||
			    all[i].count == all[i].wanted)
				continue;
			all[i].items[all[i].count++] =
				time_calls(&rows[i], all[i].calls) / (double)all[i].calls;
		}
		report_progress(turn + 1, most);
	}
}

static void
time_rows(const bench_row *rows, size_t count)
{
	bench_row *wanted = calloc(count + 1, sizeof(*wanted));
	rounds *all = calloc(count + 1, sizeof(*all));
	size_t kept = 0;

	if (wanted == NULL || all == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < count; i++) {
		if (bench_wants(rows[i].name))
			wanted[kept++] = rows[i];
	}
	for (size_t i = 0; i < kept; i++)
		prepare(&all[i], &wanted[i]);
	measure(wanted, all, kept);
	for (size_t i = 0; i < kept; i++) {
		bench_result made = sum_up(&wanted[i], &all[i]);

		report_add(&made);
		free(all[i].items);
	}
	free(all);
	free(wanted);
}

/* A function that has its name in a program, too. */
#ifdef __clang__
#define NAMED __attribute__((noinline))
#else
#define NAMED __attribute__((noinline, noipa))
#endif

/* What instructions.py lets callgrind collect and dump: its name is in the script. */
static NAMED void
bench_counted(const bench_row *row, size_t calls)
{
	row->run(row->data, calls);
}

static void
count_row(const bench_row *row)
{
	const bench_result made = { .name = row->name, .unit = "instructions",
		                    .goal = BENCH_NO_GOAL, .calls = COUNTED, .rounds = 1 };

	for (int i = 0; i < 2; i++) {
		if (row->ready != NULL)
			row->ready(row->data, COUNTED);
		if (i == 0)
			row->run(row->data, COUNTED);
		else
			bench_counted(row, COUNTED);
	}
	report_add(&made);
}

void
bench_rows(const bench_row *rows, size_t count)
{
	if (setting.count) {
		for (size_t i = 0; i < count; i++) {
			if (bench_wants(rows[i].name))
				count_row(&rows[i]);
		}
		return;
	}
	time_rows(rows, count);
}

void
bench_samples(const bench_row *row, double *items, size_t count)
{
	rounds all = { .calls = 1, .wanted = count, .count = count, .items = items };
	bench_result made;

	if (count == 0 || !bench_wants(row->name))
		return;
	made = sum_up(row, &all);
	report_add(&made);
}

double
bench_once(void (*run)(void *data), void *data)
{
	int times = setting.smoke ? 1 : 5;
	double best = 0;

	for (int i = 0; i < times; i++) {
		double start = bench_thread_time();

		run(data);
		start = bench_thread_time() - start;
		best = i == 0 || start < best ? start : best;
	}
	return best;
}

static void
add_figure(const char *name, double value, const char *unit, double goal, bool least)
{
	const bench_result made = {
		.name = name, .unit = unit, .goal = goal, .least = least, .best = value,
		.low = value, .median = value, .mean = value, .high = value, .calls = 1,
		.rounds = 1,
	};

	if (bench_wants(name))
		report_add(&made);
}

void
bench_figure(const char *name, double value, const char *unit, double goal)
{
	add_figure(name, value, unit, goal, false);
}

void
bench_figure_least(const char *name, double value, const char *unit, double goal)
{
	add_figure(name, value, unit, goal, true);
}

void
bench_skip(const char *name, const char *why)
{
	if (bench_wants(name))
		report_skip(name, why);
}

int
bench_finish(void)
{
	return report_finish(setting.report) ? 0 : 1;
}
