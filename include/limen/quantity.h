/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/quantity.h - Kubernetes resource quantities ("100m", "128Mi", "1e3"),
 * exactly.
 *
 * A quantity is a decimal number and the family of suffixes it is printed with.
 * A text has at most 64 significant digits, a sum at most 128; exponents are
 * bounded by 32 bits alone.  No function uses floating point, and none does more
 * work because an exponent is large: "1e2147483647" and "1n" are compared as
 * fast as "1" and "2".
 *
 * Quantities of up to 38 digits live in the struct alone.  Longer ones own
 * memory, so each quantity is ended with limen_quantity_clear(), and copied
 * with limen_quantity_copy() and never by assignment.  A function that makes a
 * quantity expects nothing in 'out' and frees nothing there.
 *
 * Functions that take a const quantity may be called by any number of threads.
 */
#ifndef LIMEN_QUANTITY_H
#define LIMEN_QUANTITY_H

#include <limen/types.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* The suffixes that a quantity is printed with. */
typedef enum limen_quantity_family {
	LIMEN_QUANTITY_NONE = 0,       /* none was given (null); printed as an exponent */
	LIMEN_QUANTITY_DECIMAL_SI = 1, /* n u m k M G T P E */
	LIMEN_QUANTITY_BINARY_SI = 2,  /* Ki Mi Gi Ti Pi Ei */
	LIMEN_QUANTITY_EXPONENT = 3    /* e3, e-3 */
} limen_quantity_family;

/* A number; the fields are private.  All zero bytes make a valid 0 of no family. */
typedef struct limen_quantity {
	uint64_t high;
	uint64_t low;
	char *digits;
	size_t count;
	int64_t exponent;
	const char *written;
	size_t written_length;
	uint8_t family;
	bool negative;
	uint8_t reserved[6];
} limen_quantity;

/* A 0 of no family, for variables. */
#define LIMEN_QUANTITY_INIT { 0, 0, NULL, 0, 0, NULL, 0, 0, false, { 0 } }

/* How a quantity is read. */
enum {
	/*
	 * Remember the text and print it instead of the canonical form where
	 * Kubernetes does ("+1", "1.500", "007Mi", "1E3").  The text is borrowed
	 * until the quantity is changed or cleared.  For answers that must be equal
	 * to those of a kube-apiserver to the byte.
	 */
	LIMEN_QUANTITY_KEEP = 1 << 0
};

/* Powers of ten that limen_quantity_round_up() and _scaled() are asked for. */
enum {
	LIMEN_QUANTITY_NANO = -9,
	LIMEN_QUANTITY_MICRO = -6,
	LIMEN_QUANTITY_MILLI = -3,
	LIMEN_QUANTITY_ONE = 0
};

/*
 * Reads a quantity.  What is finer than 10^-9 is rounded away from zero, and
 * values with a binary suffix end at 2^63-1 (kubernetes: ParseQuantity).
 * Blanks are not trimmed.  'flags' is 0 or LIMEN_QUANTITY_KEEP.  Returns
 * LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL: then 'why' (may be NULL) receives
 * the error text of Kubernetes, or that there are more than 64 digits from the
 * first to the last that is not 0.  The text is static.
 */
LIMEN_API int limen_quantity_parse(const char *text, size_t length, unsigned flags,
                                   limen_quantity *out, const char **why);

/*
 * Reads a quantity as it stands in a JSON document: a string, blanks around it
 * trimmed, or a number; null is 0 without a family.  As limen_quantity_parse()
 * otherwise; LIMEN_ENOENT if there is no value.
 */
LIMEN_API int limen_quantity_from_value(limen_value value, unsigned flags, limen_quantity *out,
                                        const char **why);

/* Makes a quantity of 'value'; it needs no limen_quantity_clear(). */
LIMEN_API limen_quantity limen_quantity_from_int(int64_t value, limen_quantity_family family);

/*
 * Makes 'out' a copy of 'quantity'; a remembered text is shared.  Returns LIMEN_OK or
 * LIMEN_ENOMEM.
 */
LIMEN_API int limen_quantity_copy(const limen_quantity *quantity, limen_quantity *out);

/* Frees the memory of 'quantity' and sets it to 0.  May be called again. */
LIMEN_API void limen_quantity_clear(limen_quantity *quantity);

/* Returns the suffix family in which 'quantity' is printed. */
LIMEN_API limen_quantity_family limen_quantity_get_family(const limen_quantity *quantity);

/* Returns -1, 0 or 1 as 'quantity' is below, equal to or above 0. */
LIMEN_API int limen_quantity_sign(const limen_quantity *quantity);

/* The digits that a quantity has room for in the struct alone. */
#define LIMEN_QUANTITY_DIGITS 38

/*
 * Returns how many digits computing with 'quantity' is about: LIMEN_QUANTITY_DIGITS for what
 * lives in the struct alone, else as many as it has, which is at most 128.
 */
LIMEN_API size_t limen_quantity_size(const limen_quantity *quantity);

/* Is it a whole number? */
LIMEN_API bool limen_quantity_is_integer(const limen_quantity *quantity);

/*
 * Returns -1, 0 or 1 as 'a' is below, equal to or above 'b'.  Families do not
 * count.  Allocates nothing.
 */
LIMEN_API int limen_quantity_compare(const limen_quantity *a, const limen_quantity *b);

/*
 * Compares |a| with |b| * |c| and stores -1, 0 or 1 in 'order'.  A limit
 * exceeds a ratio to its request if 'limit' is above 'request' * 'ratio'; no
 * quotient is rounded.  Returns LIMEN_OK, or LIMEN_ERANGE where only a product
 * of factors with more than 128 digits together could tell: a sum is one of them.
 */
LIMEN_API int limen_quantity_compare_product(const limen_quantity *a, const limen_quantity *b,
                                             const limen_quantity *c, int *order);

/*
 * Each changes 'quantity' to its exact sum or difference with 'other', which
 * may be the same quantity.  It keeps its family unless it was 0; then it takes
 * that of 'other'.  On failure it is unchanged: LIMEN_ENOMEM, or LIMEN_ERANGE
 * if the result would need more than 128 digits ("1e2147483647" and "1").
 */
LIMEN_API int limen_quantity_add(limen_quantity *quantity, const limen_quantity *other);
LIMEN_API int limen_quantity_subtract(limen_quantity *quantity, const limen_quantity *other);

/*
 * Rounds away from zero to a multiple of 10^scale, as the API server rounds all
 * resource lists to LIMEN_QUANTITY_MILLI.  Returns true if that changed nothing.
 */
LIMEN_API bool limen_quantity_round_up(limen_quantity *quantity, int32_t scale);

/*
 * Returns 'quantity' in units of 10^scale, rounded away from zero; INT64_MAX or
 * INT64_MIN for what does not fit.
 */
LIMEN_API int64_t limen_quantity_scaled(const limen_quantity *quantity, int32_t scale);

/* Room for quantities of up to 38 digits; the final NUL included. */
#define LIMEN_QUANTITY_TEXT_MAX 64

/*
 * Writes the canonical form (or the remembered text) and a NUL to the 'size'
 * bytes at 'out', cut off if need be.  Returns the length of the whole text;
 * more than size - 1 means that it was cut.
 */
LIMEN_API size_t limen_quantity_print(const limen_quantity *quantity, char *out, size_t size);

/* As limen_quantity_print(), in memory the caller frees with free(); NULL if it is short. */
LIMEN_API char *limen_quantity_to_text(const limen_quantity *quantity);

/* The largest text limen_quantity_print_ratio() writes, with its final NUL. */
#define LIMEN_QUANTITY_RATIO_MAX 80

/*
 * Writes a / b with six decimals, the exact quotient rounded half to even:
 * "7.500000".  Quotients of 10^41 and more, or below 10^-40, get an exponent:
 * "1.000000e41".  Returns LIMEN_OK, or LIMEN_EINVAL if 'b' is 0.
 */
LIMEN_API int limen_quantity_print_ratio(const limen_quantity *a, const limen_quantity *b,
                                         char out[LIMEN_QUANTITY_RATIO_MAX]);

LIMEN_END_DECLS

#endif
