/* SPDX-License-Identifier: Apache-2.0 */
/*
 * description.h - describes the request that a proxy asks about to the library.
 */
#ifndef LIMEND_DESCRIPTION_H
#define LIMEND_DESCRIPTION_H

#include "profile.h"
#include "question/question.h"

typedef struct description {
	const http_request *request; /* of the proxy */
	client_request from_client;
	deciding *item;
} description;

/*
 * 'describe' of limen_decide_options: fills the request of 'item' in the description 'data', with
 * those header fields that 'needs' lists.
 */
int description_fill(void *data, const limen_http_needs *needs);

#endif
