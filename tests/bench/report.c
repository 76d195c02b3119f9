/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum {
	RESULTS_MAX = 256,
	BAR = 40
};

static struct {
	const char *program;
	bench_result items[RESULTS_MAX];
	size_t count;
	size_t shown; /* of the bar */
} report;

void
report_start(const char *program, bool heading)
{
	report.program = program;
	if (heading)
		printf("%-52s %10s %9s %10s %10s  %s\n", "", "median", "spread", "best", "goal",
		       "");
}

void
report_progress(size_t done, size_t of)
{
	size_t wanted = of == 0 ? BAR : done * BAR / of;

	if (!isatty(STDERR_FILENO) || (wanted == report.shown && done < of))
		return;
	report.shown = wanted;
	fprintf(stderr, "\r%-12.12s [", report.program);
	for (size_t i = 0; i < BAR; i++)
		fputc(i < wanted ? '#' : '.', stderr);
	fprintf(stderr, "]%s", done < of ? "" : "\r\033[K");
	fflush(stderr);
}

static const bench_result *
find(const char *name)
{
	for (size_t i = 0; i < report.count; i++) {
		if (strcmp(report.items[i].name, name) == 0)
			return &report.items[i];
	}
	return NULL;
}

/* "12.3 ns", "4.56 us", "7.8 ms"; other units as they are. */
static const char *
print_value(double value, const char *unit, char out[32])
{
	static const struct {
		double least;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 0, "ns" } };
	size_t i = 0;

	if (strcmp(unit, "ns") != 0) {
		snprintf(out, 32, "%.*f %s", value < 100 && value != (double)(long)value ? 2 : 0,
		         value, unit);
		return out;
	}
	while (value < units[i].least)
		i++;
	value /= units[i].least == 0 ? 1 : units[i].least;
	snprintf(out, 32, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[i].name);
	return out;
}

/* The most, or the least, that 'value' should be; negative: it has no goal. */
typedef struct bound {
	double median;
	double best;
} bound;

/* A goal that is so many times the peer is that of the same run: both were slowed alike. */
static bound
find_bound(const bench_result *made, const bench_result *peer)
{
	if (made->times == 0)
		return (bound){ made->goal, made->goal };
	if (peer == NULL)
		return (bound){ -1, -1 };
	return (bound){ made->times * peer->median, made->times * peer->best };
}

/* How many times too much, or too little, 'value' is; at most 1 if the goal is met. */
static double
excess(const bench_result *made, double value, double goal)
{
	if (made->least)
		return value <= 0 ? 1e9 : goal / value;
	if (value <= goal)
		return 1;
	return goal <= 0 ? 1e9 : value / goal;
}

/* How it stands with the goal; a busy machine may only let the fastest rounds reach it. */
static void
print_goal(const bench_result *made, bound goal)
{
	char text[32];

	if (goal.best < 0)
		return;
	printf(" %10s  ", print_value(goal.best, made->unit, text));
	if (excess(made, made->median, goal.median) <= 1)
		printf("met");
	else if (excess(made, made->best, goal.best) <= 1)
		printf("met by the best");
	else if (goal.best > 0)
		printf("%.2f x", excess(made, made->best, goal.best));
	else
		printf("missed");
}

static void
print_row(const bench_result *made)
{
	const bench_result *peer = made->peer == NULL ? NULL : find(made->peer);
	bound goal = find_bound(made, peer);
	char text[32];

	printf("%-52s %10s", made->name, print_value(made->median, made->unit, text));
	if (made->rounds > 1)
		printf(" %7.0f %%", (made->high - made->low) / made->median * 100);
	else
		printf(" %9s", "");
	printf(" %10s", print_value(made->best, made->unit, text));
	print_goal(made, goal);
	if (peer != NULL)
		printf("  %s%.2f times as fast as %s", goal.best < 0 ? "            " : "",
		       peer->best / made->best, peer->name);
	putchar('\n');
	fflush(stdout);
}

void
report_add(const bench_result *result)
{
	print_row(result);
	if (report.count == RESULTS_MAX)
		return;
	report.items[report.count] = *result;
	report.items[report.count].name = strdup(result->name);
	report.items[report.count].peer = result->peer == NULL ? NULL : strdup(result->peer);
	if (report.items[report.count].name != NULL)
		report.count++;
}

void
report_skip(const char *name, const char *why)
{
	printf("%-52s SKIP: %s\n", name, why);
}

/* What the kernel calls the processor. */
static void
read_processor(char *out, size_t size)
{
	FILE *stream = fopen("/proc/cpuinfo", "r");
	char line[256];

	snprintf(out, size, "unknown");
	while (stream != NULL && fgets(line, sizeof(line), stream) != NULL) {
		char *colon = strchr(line, ':');

		if (strncmp(line, "model name", strlen("model name")) != 0 || colon == NULL)
			continue;
		colon[strcspn(colon, "\"\\\n")] = '\0';
		snprintf(out, size, "%s", colon + 2);
		break;
	}
	if (stream != NULL)
		fclose(stream);
}

static void
write_machine(FILE *out)
{
	struct utsname system = { .release = "" };
	double loads[1] = { 0 };
	time_t now = time(NULL);
	char processor[128];
	char date[32];

	uname(&system);
	getloadavg(loads, 1);
	read_processor(processor, sizeof(processor));
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	fprintf(out,
	        "  \"date\": \"%s\",\n  \"processor\": \"%s\",\n  \"cores\": %ld,\n"
	        "  \"kernel\": \"%s\",\n  \"compiler\": \"%s\",\n  \"load\": %.2f,\n",
	        date, processor, sysconf(_SC_NPROCESSORS_ONLN), system.release, COMPILER,
	        loads[0]);
}

static void
write_row(FILE *out, const bench_result *made, bool last)
{
	fprintf(out,
	        "    {\"name\": \"%s\", \"unit\": \"%s\", \"median\": %.3f, \"mean\": %.3f, "
	        "\"low\": %.3f, \"high\": %.3f, \"best\": %.3f, \"rounds\": %zu, "
	        "\"calls\": %zu",
	        made->name, made->unit, made->median, made->mean, made->low, made->high,
	        made->best, made->rounds, made->calls);
	if (made->goal >= 0)
		fprintf(out, ", \"goal\": %.3f", made->goal);
	if (made->times > 0)
		fprintf(out, ", \"times\": %g", made->times);
	if (made->peer != NULL)
		fprintf(out, ", \"peer\": \"%s\"", made->peer);
	fprintf(out, "}%s\n", last ? "" : ",");
}

bool
report_finish(const char *path)
{
	FILE *out = path == NULL ? NULL : fopen(path, "w");
	bool good;

	if (path != NULL && out == NULL) {
		perror(path);
		return false;
	}
	if (out != NULL) {
		fprintf(out, "{\n  \"program\": \"%s\",\n", report.program);
		write_machine(out);
		fputs("  \"rows\": [\n", out);
		for (size_t i = 0; i < report.count; i++)
			write_row(out, &report.items[i], i + 1 == report.count);
		fputs("  ]\n}\n", out);
	}
	for (size_t i = 0; i < report.count; i++) {
		free((char *)report.items[i].name);
		free((char *)report.items[i].peer);
	}
	report.count = 0;
	good = out == NULL || (!ferror(out));
	if (out != NULL && fclose(out) != 0)
		good = false;
	if (!good)
		perror(path);
	return good;
}
