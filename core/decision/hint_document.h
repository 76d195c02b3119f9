/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIMEN_CORE_DECISION_HINT_DOCUMENT_H
#define LIMEN_CORE_DECISION_HINT_DOCUMENT_H

#include <limen/request.h>

#include "document/document.h"

/*
 * Makes an object of 'count' hints; of several with one name the last counts.  Returns
 * as limen_request_set_hint_list().
 */
int hint_document_make(const limen_hint *hints, size_t count, document **out);

#endif
