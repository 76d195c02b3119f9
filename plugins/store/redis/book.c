/* SPDX-License-Identifier: Apache-2.0 */
#include "book.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

static int64_t
common_factor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

bool
book_is_exact(int64_t tokens, int64_t period, int64_t burst)
{
	int64_t units;

	return !__builtin_add_overflow(burst, 1, &units) &&
	       !__builtin_mul_overflow(units, period, &units) &&
	       !__builtin_add_overflow(units, tokens, &units) && units <= SCRIPT_UNITS_MAX;
}

static int64_t
tenth_of_second(int64_t tokens, int64_t period)
{
	/* Both are below 2^53, and no more than 2^53 tokens of a lease are of use. */
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the core lets no table have none */
	int64_t number = tokens / period * (LIMEN_SECOND / 10);

	if (tokens / period >= INT64_C(1) << 34)
		number = INT64_C(1) << 53;
	else if (tokens % period <= INT64_MAX / (LIMEN_SECOND / 10))
		number += tokens % period * (LIMEN_SECOND / 10) / period;
	return number < 1 ? 1 : number;
}

static book *
write_book(const char *prefix, const char *name, const char *keys, int64_t tokens, int64_t period,
           int64_t burst)
{
	static const char format[] = "%sb:%" PRId64 "/%" PRId64 "/%" PRId64 ":%zu:%s:%zu:%s:";
	int length = snprintf(NULL, 0, format, prefix, tokens, period, burst, strlen(name), name,
	                      strlen(keys), keys);
	book *one = length < 0 ? NULL : calloc(1, sizeof(*one) + (size_t)length + 1);

	if (one == NULL)
		return NULL;
	one->prefix_length = (size_t)length;
	snprintf(one->prefix, (size_t)length + 1, format, prefix, tokens, period, burst,
	         strlen(name), name, strlen(keys), keys);
	one->burst = burst;
	one->lease = tenth_of_second(tokens, period);
	atomic_init(&one->users, 1);
	snprintf(one->tokens_text, sizeof(one->tokens_text), "%" PRId64, tokens);
	snprintf(one->period_text, sizeof(one->period_text), "%" PRId64, period);
	snprintf(one->burst_text, sizeof(one->burst_text), "%" PRId64, burst);
	return one;
}

book *
book_new(const char *prefix, const char *name, const limen_table_spec *spec, limen_diag *diag)
{
	int64_t factor = common_factor(spec->tokens, spec->period);
	int64_t tokens = spec->tokens / factor;
	int64_t period = spec->period / factor;
	book *one;

	if (!book_is_exact(tokens, period, spec->burst)) {
		limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(),
		               "a store of type redis counts exactly only up to 2^53 units: burst "
		               "(%" PRId64 ") times period (%" PRId64 " us for %" PRId64
		               " tokens) is too much", spec->burst, period, tokens);
		return NULL;
	}
	one = write_book(prefix, name, spec->keys == NULL ? "" : spec->keys, tokens, period,
	                 spec->burst);
	if (one == NULL) {
		limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	if (one->prefix_length <= BOOK_PREFIX_MAX)
		return one;
	limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(),
	               "the prefix, the name and what the key is made of are too long together "
	               "for a store of type redis: %zu bytes of at most %d", one->prefix_length,
	               BOOK_PREFIX_MAX);
	book_unref(one);
	return NULL;
}

void
book_ref(book *one)
{
	atomic_fetch_add(&one->users, 1);
}

void
book_unref(book *one)
{
	if (atomic_fetch_sub(&one->users, 1) == 1)
		free(one);
}

void
book_print_amount(const book *one, int64_t amount, char out[NUMBER_MAX])
{
	if (amount > one->burst)
		amount = one->burst + 1;
	snprintf(out, NUMBER_MAX, "%" PRId64, amount);
}
