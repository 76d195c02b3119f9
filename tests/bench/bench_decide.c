/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_decide.c - what a decision about a pScheduler task costs, the task being
 * read already.
 */
#include "subject.h"

#define REQUESTER "198.51.100.17"

static const char task[] =
	"{\"schema\":1,\"test\":{\"type\":\"throughput\",\"spec\":{\"schema\":1,"
	"\"dest\":\"ps.example.org\",\"duration\":\"PT30S\",\"parallel\":2}},"
	"\"schedule\":{\"repeat\":\"PT10M\",\"max-runs\":10}}";

static subject
make(const char *policy, bool diagnostics)
{
	subject made = {
		.engine = subject_engine(policy),
		.request = subject_task(task, REQUESTER),
		.options = { .size = sizeof(made.options),
		             .rewrite = LIMEN_SWITCH_ON,
		             .prioritize = LIMEN_SWITCH_ON,
		             .diagnostics = diagnostics },
	};

	if (limen_request_set_hint(made.request, "server", "192.0.2.33") != LIMEN_OK)
		bench_die("out of memory");
	return made;
}

static void
drop(subject *old)
{
	limen_request_free(old->request);
	limen_engine_free(old->engine);
}

int
main(int argc, char **argv)
{
	subject plain, told, full;

	bench_start("bench_decide", argc, argv);
	plain = make("policies/task.json", false);
	told = make("policies/task.json", true);
	full = make("policies/task-full.json", true);
	bench_rows((bench_row[]){
		{ .name = "task: an address and a limit", .run = subject_decide,
		  .data = &plain, .goal = 150 },
		{ .name = "task: the same with diagnostics", .run = subject_decide,
		  .data = &told, .goal = 500 },
		{ .name = "task: 6 identifiers, limit, rewrite, priority in jq",
		  .run = subject_decide, .data = &full, .goal = 60000 },
	}, 3);
	subject_count("task: an address and a limit, allocations", subject_decide, &plain, 0);
	subject_count("task: the same with diagnostics, allocations", subject_decide, &told,
	              BENCH_NO_GOAL);
	subject_count("task: 6 identifiers and jq, allocations", subject_decide, &full,
	              BENCH_NO_GOAL);
	drop(&plain);
	drop(&told);
	drop(&full);
	return bench_finish();
}
