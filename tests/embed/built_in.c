/* SPDX-License-Identifier: Apache-2.0 */
/* built_in - as embed, with a module that is linked into the program: built_in POLICY TASK */
#include <stdio.h>
#include <string.h>
#include <limen/limen.h>
#include <limen/module.h>

/* docs/examples/cap/cap.c, compiled with -DLIMEN_MODULE_SYMBOL=cap_module */
extern const limen_limit_module cap_module;

int
main(int argc, char **argv)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = limen_engine_new(NULL);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	int status = 2;

	if (argc > 2 && limen_engine_add_module(engine, &cap_module, diag) == LIMEN_OK &&
	    limen_engine_load(engine, argv[1], diag) == LIMEN_OK &&
	    limen_request_parse(req, argv[2], strlen(argv[2]), diag) == LIMEN_OK &&
	    limen_engine_decide(engine, req, NULL, &decision) == LIMEN_OK) {
		status = limen_decision_admitted(decision) ? 0 : 1;
		printf("%s: %s\n", status == 0 ? "admitted" : "refused",
		       limen_decision_reason(decision));
	}
	limen_diag_write(diag, stderr);
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	limen_diag_free(diag);
	return status;
}
