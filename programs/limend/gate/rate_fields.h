/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rate_fields.h - tells clients in header fields what is left of their rates.
 */
#ifndef LIMEND_RATE_FIELDS_H
#define LIMEND_RATE_FIELDS_H

#include <limen/decision.h>

#include "http/http.h"

/*
 * Adds the fields of 'style' to 'response'.  In the draft they list all 'count' rates, otherwise
 * they have the numbers of the first one, which is the one with the least remaining.
 */
void rate_fields_add(limen_http_fields style, const limen_quota *const *quotas, size_t count,
                     http_response *response);

#endif
