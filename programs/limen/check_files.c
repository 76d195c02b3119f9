/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "answer.h"
#include "check.h"
#include "decision_text.h"
#include "input.h"
#include "message.h"
#include "policy.h"
#include "problems.h"
#include "terminal.h"

/* In JSON an answer stands for every request, so that the two can be paired. */
static int
report_failure(const check *how, const char *name, const limen_diag *diag, const char *why)
{
	if (why != NULL)
		message_error("%s", why);
	problems_print_request(diag, name);
	if (how->format == FORMAT_JSON)
		answer_error(why != NULL ? why : problems_first(diag, "unusable request"), diag);
	return STATUS_ERROR;
}

static void
print_heading(const check *how, const char *path)
{
	if (how->files[1] == NULL)
		return;
	if (path != how->files[0])
		fputc('\n', stdout);
	message_print(stdout, "==> %s <==\n", input_name(path));
}

static void
print_decision(const check *how, const limen_decision *decision, const limen_request *req)
{
	bool colored = terminal_colored(how->common);
	bool prioritized = how->ask.prioritize == LIMEN_AUTO ? limen_request_is_run(req)
	                                                     : how->ask.prioritize == LIMEN_ON;

	if (how->format == FORMAT_JSON) {
		if (!answer_decision(decision, NULL))
			answer_error("out of memory", NULL);
		return;
	}
	decision_print(decision, limen_request_subject(req), prioritized, colored);
	if (how->ask.explain)
		trace_print(decision, colored);
}

static int
decide(const check *how, limen_engine *engine, const limen_request *req, char **why)
{
	limen_decision *decision = ask_decide(&how->ask, engine, req, why);
	int status = STATUS_BAD;

	if (decision == NULL)
		return STATUS_ERROR;
	if (limen_decision_admitted(decision))
		status = STATUS_GOOD;
	else if (limen_decision_code(decision) == 500)
		status = STATUS_ERROR;
	print_decision(how, decision, req);
	limen_decision_free(decision);
	return status;
}

static int
check_file(const check *how, limen_engine *engine, const char *path)
{
	limen_diag *diag = policy_diag();
	char *why = NULL;
	GString *text = input_read(path, &why);
	limen_request *req = NULL;
	int status = STATUS_ERROR;

	if (how->format == FORMAT_TEXT)
		print_heading(how, path);
	if (text != NULL)
		req = ask_read(&how->ask, text->str, text->len, diag, &why);
	if (req != NULL)
		status = decide(how, engine, req, &why);
	if (req == NULL || why != NULL)
		status = report_failure(how, input_name(path), diag, why);
	if (text != NULL)
		g_string_free(text, TRUE);
	limen_request_free(req);
	limen_diag_free(diag);
	g_free(why);
	return status;
}

static int
refuse_policy(const check *how, const limen_diag *diag, const char *why)
{
	if (why != NULL)
		message_error("Unable to read input: %s", why);
	problems_print_policy(diag, LIMEN_PROBLEM);
	/* One object a request, whatever becomes of it. */
	for (size_t i = 0; how->format == FORMAT_JSON && how->files[i] != NULL; i++)
		answer_error(why != NULL ? why : problems_first(diag, "unusable policy"), diag);
	return STATUS_ERROR;
}

int
check_files(const check *how)
{
	limen_engine *engine = policy_engine(how->common, 0);
	limen_diag *diag = policy_diag();
	char *why = NULL;
	int status = STATUS_GOOD;

	if (policy_load(engine, how->policy == NULL ? policy_default() : how->policy, diag, &why))
		for (size_t i = 0; how->files[i] != NULL; i++)
			status = status_worse(status, check_file(how, engine, how->files[i]));
	else
		status = refuse_policy(how, diag, why);
	g_free(why);
	limen_diag_free(diag);
	limen_engine_free(engine);
	return status;
}
