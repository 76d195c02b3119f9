/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token buckets against a model that holds one fraction: the numbers of a table,
 * then steps of a byte that says what happens and a number.
 */
#include <gmp.h>
#include <string.h>

#include <limen-sdk/bucket.h>
#include "fuzz.h"

const fuzz_target fuzz_this = { "bucket", NULL, 8000 };

typedef struct reader {
	const uint8_t *bytes;
	size_t left;
} reader;

/* Tokens as a fraction, when, and the rate: tokens a microsecond. */
typedef struct model {
	mpq_t held;
	mpq_t speed;
	mpq_t full;
	limen_time time;
} model;

/* The first byte says how many bits the number has: small ones are as likely as large ones. */
static int64_t
read_number(reader *from, int64_t least)
{
	uint64_t number = 0;
	unsigned bits;

	if (from->left < 9) {
		from->left = 0;
		return least;
	}
	memcpy(&number, from->bytes + 1, 8);
	bits = from->bytes[0] % 63 + 1;
	from->bytes += 9;
	from->left -= 9;
	number &= (UINT64_C(1) << bits) - 1;
	return (int64_t)number < least ? least : (int64_t)number;
}

static void
model_fill(model *one, limen_time now)
{
	mpq_t gained;

	if (now <= one->time)
		return;
	mpq_init(gained);
	mpz_set_si(mpq_numref(gained), now);
	mpz_sub_ui(mpq_numref(gained), mpq_numref(gained), (unsigned long)one->time);
	mpq_mul(gained, gained, one->speed);
	mpq_add(one->held, one->held, gained);
	if (mpq_cmp(one->held, one->full) > 0)
		mpq_set(one->held, one->full);
	mpq_clear(gained);
	one->time = now;
}

/* Until there is enough, rounded up; -1 if there is no room for so much, or no such time. */
static int64_t
model_wait(const model *one, int64_t amount)
{
	mpq_t missing;
	mpz_t whole;
	int64_t wait;

	mpq_init(missing);
	mpz_init(whole);
	mpq_set_si(missing, amount, 1);
	if (mpq_cmp(missing, one->full) > 0)
		mpz_set_si(whole, -1);
	else {
		mpq_sub(missing, missing, one->held);
		mpq_div(missing, missing, one->speed);
		mpz_cdiv_q(whole, mpq_numref(missing), mpq_denref(missing));
	}
	wait = mpz_fits_slong_p(whole) ? mpz_get_si(whole) : -2;
	mpz_clear(whole);
	mpq_clear(missing);
	return wait;
}

static void
check_same(const limen_level *one, const limen_rate *how, const model *other)
{
	mpq_t value;

	FUZZ_CHECK(one->tokens >= 0 && one->tokens <= how->burst && one->part < how->period);
	mpq_init(value);
	mpz_set_si(mpq_numref(value), one->tokens);
	mpz_mul_ui(mpq_numref(value), mpq_numref(value), how->period);
	mpz_add_ui(mpq_numref(value), mpq_numref(value), one->part);
	mpz_set_ui(mpq_denref(value), how->period);
	mpq_canonicalize(value);
	FUZZ_CHECK(mpq_equal(value, other->held));
	mpq_clear(value);
}

static void
take(limen_level *one, const limen_rate *how, model *other, int64_t amount, limen_time now)
{
	mpq_t price;
	bool granted;

	limen_level_fill(one, how, now);
	model_fill(other, now);
	check_same(one, how, other);
	mpq_init(price);
	mpq_set_si(price, amount, 1);
	granted = mpq_cmp(other->held, price) >= 0;
	FUZZ_CHECK(granted == (one->tokens >= amount));
	if (granted) {
		one->tokens -= amount;
		mpq_sub(other->held, other->held, price);
	} else {
		int64_t wait = model_wait(other, amount);
		limen_duration found = limen_level_wait(one, how, amount, one->time);

		FUZZ_CHECK(found == (wait == -2 ? INT64_MAX : wait));
	}
	mpq_clear(price);
}

static void
give(limen_level *one, const limen_rate *how, model *other, int64_t amount)
{
	mpq_t value;

	mpq_init(value);
	mpq_set_si(value, amount, 1);
	mpq_add(other->held, other->held, value);
	if (mpq_cmp(other->held, other->full) > 0)
		mpq_set(other->held, other->full);
	limen_level_give(one, how, amount);
	check_same(one, how, other);
	mpq_clear(value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	reader from = { data, size };
	limen_table_spec spec = { .size = sizeof(spec) };
	model other = { .time = 0 };
	limen_rate how;
	limen_level one;

	spec.tokens = read_number(&from, 1);
	spec.period = read_number(&from, 1);
	spec.burst = read_number(&from, 1);
	mpq_inits(other.held, other.speed, other.full, NULL);
	mpq_set_si(other.full, spec.burst, 1);
	mpq_set(other.held, other.full);
	mpq_set_si(other.speed, spec.tokens, (unsigned long)spec.period);
	mpq_canonicalize(other.speed);
	how = limen_rate_of(&spec);
	one = limen_level_full(&how, 0);
	while (from.left >= 10) {
		unsigned what = *from.bytes++;
		int64_t number;

		from.left--;
		number = read_number(&from, 1);
		if (what % 4 == 0)
			give(&one, &how, &other, number);
		else if (what % 4 == 1 && other.time <= INT64_MAX - number)
			take(&one, &how, &other, 1, other.time + number);
		else
			take(&one, &how, &other, number, other.time);
	}
	mpq_clears(other.held, other.speed, other.full, NULL);
	return 0;
}
