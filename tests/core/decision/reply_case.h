/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_case.h - a reply to fill, with the request and the decision around it
 * that a module's call would have.
 */
#ifndef LIMEN_TESTS_CORE_REPLY_CASE_H
#define LIMEN_TESTS_CORE_REPLY_CASE_H

#include <stdlib.h>
#include <string.h>

#include "decision/decision.h"
#include "decision/reply.h"
#include "decision/request.h"
#include "suite.h"

typedef struct reply_case {
	limen_request *task;
	limen_decision *decision;
	view view;
	limen_request request;
	limen_reply reply;
} reply_case;

/* Begins a call about the task 'text'. */
static inline void
reply_case_start(reply_case *one, const char *text)
{
	one->task = limen_request_new(LIMEN_SUBJECT_TASK);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(one->task, text, strlen(text), NULL), LIMEN_OK);
	one->decision = decision_new();
	view_start(one->task, &one->view, &one->decision->arena, &one->request);
	one->view.decision = one->decision;
	reply_start(&one->reply, &one->decision->arena, &one->request);
	one->reply.may = REPLY_MAY_CHANGE | REPLY_MAY_PRIORITIZE | REPLY_MAY_VIOLATE;
}

static inline void
reply_case_end(reply_case *one)
{
	reply_finish(&one->reply);
	view_finish(&one->view);
	limen_decision_free(one->decision);
	limen_request_free(one->task);
}

#endif
