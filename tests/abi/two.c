/* SPDX-License-Identifier: Apache-2.0 */
/*
 * two.c - two FILE POLICY TASK POLICY TASK: decides with the library it is linked with, with that
 * of the shared object FILE (this source with -DSECOND), and with its own once more.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <limen/limen.h>

#ifdef SECOND
#define decide second
#endif

LIMEN_API int decide(const char *policy, const char *task);

int
decide(const char *policy, const char *task)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = limen_engine_new(NULL);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	unsigned major = 0;

	limen_version(&major, NULL);
	limen_engine_load(engine, policy, diag);
	limen_request_parse(req, task, strlen(task), diag);
	limen_engine_decide(engine, req, NULL, &decision);
	printf("%u: %s\n", major, decision == NULL ? "none" : limen_decision_reason(decision));
	limen_diag_write(diag, stdout);
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	limen_diag_free(diag);
	return 0;
}

#ifndef SECOND
int
main(int argc, char **argv)
{
	void *file = argc == 6 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*second)(const char *, const char *);

	if (file == NULL)
		return printf("%s\n", argc == 6 ? dlerror() : "too few arguments");
	*(void **)&second = dlsym(file, "second");
	return decide(argv[2], argv[3]) + second(argv[4], argv[5]) + decide(argv[2], argv[3]);
}
#endif
