/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_ranger.c - LimitRanger: a pod of two containers, one of which has no
 * resources, from the request to the patch, and from the bytes of an AdmissionReview
 * to those of the answer.
 */
#include <stdlib.h>

#include "subject.h"

int
main(int argc, char **argv)
{
	subject both = { .options = { .size = sizeof(both.options) } };
	subject mutate, validate;
	char *text;

	bench_start("bench_ranger", argc, argv);
	text = subject_read("reviews/pod-large.json", &both.length);
	both.text = text;
	both.engine = subject_engine("policies/ranger.json");
	both.request = subject_review(both.text, both.length);
	mutate = validate = both;
	mutate.options.phase = LIMEN_PHASE_MUTATE;
	validate.options.phase = LIMEN_PHASE_VALIDATE;
	/* As it came it lacks what it is to be given. */
	validate.refused = true;
	bench_rows((bench_row[]){
		{ .name = "LimitRanger: mutate and validate", .run = subject_decide,
		  .data = &both, .goal = 600 },
		{ .name = "LimitRanger: mutate only", .run = subject_decide, .data = &mutate },
		{ .name = "LimitRanger: refuse", .run = subject_decide, .data = &validate },
		{ .name = "LimitRanger: mutate and validate, from bytes to bytes",
		  .run = subject_answer, .data = &both, .goal = 4500 },
	}, 4);
	subject_count("LimitRanger: mutate and validate, allocations", subject_decide, &both, 0);
	subject_count("LimitRanger: refuse, allocations", subject_decide, &validate, 0);
	subject_count("LimitRanger: from bytes to bytes, allocations", subject_answer, &both,
	              BENCH_NO_GOAL);
	limen_request_free(both.request);
	limen_engine_free(both.engine);
	free(text);
	return bench_finish();
}
