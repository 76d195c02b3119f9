/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fetch.h - includes the HTTP client of the modules, the only header of theirs that programs
 * use.
 */
#ifndef LIMEN_PROGRAM_FETCH_H
#define LIMEN_PROGRAM_FETCH_H

#include "../../plugins/support/http/http.h"

#endif
