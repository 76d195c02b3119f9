/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format.h - vsnprintf() for the conversions that decisions are written with,
 * several times as fast: no locale, no stream.  Any other conversion is left to
 * the C library.
 */
#ifndef LIMEN_CORE_BASE_FORMAT_H
#define LIMEN_CORE_BASE_FORMAT_H

#include <limen/types.h>

/*
 * Writes at most 'room' bytes to 'out', the NUL included, and returns how long
 * the whole text is, or a negative number, as vsnprintf() does.
 */
int format_text(char *out, size_t room, const char *format, va_list arguments)
	LIMEN_PRINTF(3, 0);

#endif
