/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fetch.h - the HTTP client that modules use: the one header of theirs that programs include.
 */
#ifndef LIMEN_PROGRAM_FETCH_H
#define LIMEN_PROGRAM_FETCH_H

#include "../../plugins/support/http/http.h"

#endif
