/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_review.c - what it costs to read an AdmissionReview: with jansson, with json-c
 * if it is there, into a document of limen, and into a request with its envelope and
 * hints.
 */
#include <dlfcn.h>
#include <jansson.h>
#include <limen/diag.h>
#include <limen/request.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "subject.h"

typedef struct text {
	const char *bytes;
	size_t length;
} text;

static void
call_jansson(void *data, size_t calls)
{
	const text *what = data;

	for (size_t i = 0; i < calls; i++) {
		json_t *tree = json_loadb(what->bytes, what->length, 0, NULL);

		if (tree == NULL)
			bench_die("jansson cannot read it");
		json_decref(tree);
	}
}

/*
 * json-c, by the names of its ABI 5: both libraries have functions of the same name, so
 * that a program cannot be linked with both.
 */
static struct {
	void *library;
	void *(*parser)(void);
	void *(*parse)(void *parser, const char *text, int length);
	int (*put)(void *value);
	void (*free_parser)(void *parser);
} json_c;

static void
open_json_c(void)
{
	/* Sanitizers end programs that bind like this. */
	if (allocations_known())
		json_c.library = dlopen("libjson-c.so.5", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (json_c.library == NULL)
		return;
	*(void **)&json_c.parser = dlsym(json_c.library, "json_tokener_new");
	*(void **)&json_c.parse = dlsym(json_c.library, "json_tokener_parse_ex");
	*(void **)&json_c.put = dlsym(json_c.library, "json_object_put");
	*(void **)&json_c.free_parser = dlsym(json_c.library, "json_tokener_free");
	if (json_c.parser == NULL || json_c.parse == NULL || json_c.put == NULL ||
	    json_c.free_parser == NULL)
		json_c.library = NULL;
}

static void
call_json_c(void *data, size_t calls)
{
	const text *what = data;

	for (size_t i = 0; i < calls; i++) {
		void *parser = json_c.parser();
		void *value = json_c.parse(parser, what->bytes, (int)what->length);

		if (value == NULL)
			bench_die("json-c cannot read it");
		json_c.put(value);
		json_c.free_parser(parser);
	}
}

static limen_request *reused;

static void
call_document(void *data, size_t calls)
{
	const text *what = data;

	for (size_t i = 0; i < calls; i++) {
		if (limen_request_parse(reused, what->bytes, what->length, NULL) != LIMEN_OK)
			bench_die("limen cannot read it");
	}
}

static void
call_review(void *data, size_t calls)
{
	const text *what = data;

	for (size_t i = 0; i < calls; i++)
		limen_request_free(subject_review(what->bytes, what->length));
}

static void
compare(const char *file, const char *about, double document_goal, double request_goal)
{
	text what;
	char *bytes = subject_read(file, &what.length);
	char names[4][64];
	size_t count = 3;

	what.bytes = bytes;
	snprintf(names[0], sizeof(names[0]), "review of %s: jansson", about);
	snprintf(names[1], sizeof(names[1]), "review of %s: a document", about);
	snprintf(names[2], sizeof(names[2]), "review of %s: a request", about);
	snprintf(names[3], sizeof(names[3]), "review of %s: json-c", about);
	if (json_c.library == NULL)
		bench_skip(names[3], "libjson-c.so.5 is not installed, or there are sanitizers");
	else
		count = 4;
	bench_rows((bench_row[]){
		{ .name = names[0], .run = call_jansson, .data = &what },
		{ .name = names[1], .run = call_document, .data = &what,
		  .goal = document_goal, .peer = names[0] },
		{ .name = names[2], .run = call_review, .data = &what, .goal = request_goal,
		  .peer = names[0] },
		{ .name = names[3], .run = call_json_c, .data = &what, .peer = names[0] },
	}, count);
	free(bytes);
}

int
main(int argc, char **argv)
{
	bench_start("bench_review", argc, argv);
	open_json_c();
	reused = limen_request_new(LIMEN_SUBJECT_OBJECT);
	if (reused == NULL)
		bench_die("out of memory");
	compare("reviews/event.json", "1.2 KB", 0, 0);
	compare("reviews/pod-small.json", "3.7 KB", 2500, 0);
	compare("reviews/pod-large.json", "4.9 KB", 3400, 0);
	limen_request_free(reused);
	return bench_finish();
}
