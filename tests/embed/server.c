/* SPDX-License-Identifier: Apache-2.0 */
/* server - decide about tasks as a server would: server POLICY REQUESTER TASK... */
#include <stdio.h>
#include <string.h>
#include <limen/limen.h>

static void
write_log(void *data, limen_log_level level, const char *source, const char *text)
{
	if (level < LIMEN_LOG_DEBUG)
		fprintf((FILE *)data, "%s: %s\n", source, text);
}

static limen_engine *
start(const char *policy)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.flags = LIMEN_ENGINE_WATCH,
		.log = write_log,
		.log_data = stderr,
	};
	limen_engine *engine = limen_engine_new(&options);
	limen_diag *diag = limen_diag_new();

	if (engine != NULL && limen_engine_load(engine, policy, diag) != LIMEN_OK) {
		limen_diag_write(diag, stderr);
		limen_engine_free(engine);
		engine = NULL;
	}
	limen_diag_free(diag);
	return engine;
}

static void
decide(limen_engine *engine, const char *requester, const char *task)
{
	limen_decide_options options = { .size = sizeof(options), .diagnostics = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;

	if (limen_request_parse(req, task, strlen(task), NULL) != LIMEN_OK)
		puts("400 the task is not JSON");
	else if (limen_request_set_hint(req, "requester", requester) == LIMEN_OK &&
	         limen_engine_decide(engine, req, &options, &decision) == LIMEN_OK)
		printf("%d\n%s\n", limen_decision_code(decision),
		       limen_decision_diagnostics(decision));
	else
		puts("500 no decision");
	limen_decision_free(decision);
	limen_request_free(req);
}

int
main(int argc, char **argv)
{
	limen_engine *engine = argc > 2 ? start(argv[1]) : NULL;

	if (engine == NULL)
		return 2;
	for (int i = 3; i < argc; i++)
		decide(engine, argv[2], argv[i]);
	limen_engine_free(engine);
	return 0;
}
