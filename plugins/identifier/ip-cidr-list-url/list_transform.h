/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_transform.h - makes a list of what was downloaded, with the operator's jq
 * script: the body is read as JSON, comments are dropped, and each output of the
 * script is a text of lines.
 */
#ifndef LIMEN_IP_CIDR_LIST_URL_LIST_TRANSFORM_H
#define LIMEN_IP_CIDR_LIST_URL_LIST_TRANSFORM_H

#include "../../support/jq/jq.h"
#include "list_text.h"

#define LIST_TRANSFORM_ERROR 256

/*
 * Runs 'script' on 'body' and adds what it gives to 'out'.  Returns false with
 * the reason in 'error'; 'out' may then hold anything.
 */
bool list_transform(jq_script *script, const char *body, size_t length, list_text *out,
                    char error[LIST_TRANSFORM_ERROR]);

#endif
