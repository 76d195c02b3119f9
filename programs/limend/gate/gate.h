/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.h - answers proxies that ask, for each request of their own clients, whether it may pass.
 */
#ifndef LIMEND_GATE_H
#define LIMEND_GATE_H

#include <limen/engine.h>

#include "question/deciding.h"

/* Makes the answer a refusal of 'status' because of 'text', in the form of the proxy's profile. */
void gate_fail(const http_request *request, http_response *response, int status, const char *text);

/* Answers with 'decision' about 'item'; 'brief' leaves out the reason. */
void gate_answer(const http_request *request, const deciding *item,
                 const limen_decision *decision, bool brief, http_response *response);

#endif
