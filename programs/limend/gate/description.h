/* SPDX-License-Identifier: Apache-2.0 */
/*
 * description.h - describes the request that a proxy asks about to the library.
 */
#ifndef LIMEND_DESCRIPTION_H
#define LIMEND_DESCRIPTION_H

#include <limen/question.h>

#include "profile.h"

/*
 * Makes a request of 'from_client' for the engine, with those header fields of 'fields' that
 * 'needs' lists.  Returns false with a fault.
 */
bool description_read(const client_request *from_client, const arguments *fields,
                      const limen_http_needs *needs, limen_request **out, fault *why);

#endif
