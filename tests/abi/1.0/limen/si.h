/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/si.h - integers with SI units ("1", "2.5K", "800 Ki", "3G"), the
 * SINumber of pScheduler's limit files.
 *
 * The functions keep nothing: any number of threads may call them.
 */
#ifndef LIMEN_SI_H
#define LIMEN_SI_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* A whole number of up to 127 bits, kept as sign and magnitude. */
typedef struct limen_si {
	uint64_t high;
	uint64_t low;
	bool negative;
} limen_si;

/*
 * Reads an optional "-", digits, an optional fraction, optional blanks and an
 * optional unit: k m g t p e z y for powers of 1000, ki mi gi ti pi ei zi yi
 * for powers of 1024, in either case.  The product is computed exactly and
 * then rounded towards minus infinity ("-0.5" is -1).  Returns LIMEN_OK, LIMEN_EINVAL, or
 * LIMEN_ERANGE for numbers of more than 127 bits.
 */
LIMEN_API int limen_si_parse(const char *text, size_t length, limen_si *out);

/* Makes a number of 'value'. */
LIMEN_API limen_si limen_si_from_int(int64_t value);

/* Returns a value below, equal to or above zero as 'a' is to 'b'. */
LIMEN_API int limen_si_compare(const limen_si *a, const limen_si *b);

/* Returns the double nearest to 'number'. */
LIMEN_API double limen_si_real(const limen_si *number);

LIMEN_END_DECLS

#endif
