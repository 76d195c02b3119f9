/* SPDX-License-Identifier: Apache-2.0 */
/* python_text.h - strings as Python's repr() writes them. */
#ifndef LIMEN_SUPPORT_JQ_PYTHON_TEXT_H
#define LIMEN_SUPPORT_JQ_PYTHON_TEXT_H

#include "text.h"

void python_string(text *out, const char *string, size_t length);

#endif
