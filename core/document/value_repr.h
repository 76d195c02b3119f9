/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_repr.h - JSON values as Python prints them, for the messages that
 * pScheduler builds from repr() and str().
 *
 * Differences from Python 3: code points that Unicode has not assigned are
 * printed as they are, and integers of more than 4300 digits are printed
 * (Python refuses to read them).
 */
#ifndef LIMEN_CORE_DOCUMENT_VALUE_REPR_H
#define LIMEN_CORE_DOCUMENT_VALUE_REPR_H

#include <limen/value.h>

#include "base/strbuf.h"

/* Adds repr() of 'value' ('x', True, None, [1, 'a'], {'a': 1}); nothing for none. */
void value_repr(strbuf *out, limen_value value);

/* Adds str() of 'value': strings as they are, everything else as value_repr(). */
void value_str(strbuf *out, limen_value value);

/* Adds repr() of 'length' bytes of UTF-8; bytes that are not are printed as "\xNN". */
void value_repr_string(strbuf *out, const char *text, size_t length);

/* Adds repr() of a float (1.0, 1e+16, inf). */
void value_repr_real(strbuf *out, double number);

#endif
