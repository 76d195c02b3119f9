/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_mixes.c - whatever modules fail, in whatever policy, nothing is admitted that is
 * refused while all of them work.  Policies are random: LIMEN_MIXES sets how many mixes of
 * failing modules are tried (default 20000), LIMEN_MIX_SEED where they start.
 */
#include <inttypes.h>

#include "policy_case.h"

enum {
	MODULES = 8, /* identifiers first, then limits */
	IDENTIFIERS = 3,
	CLASSIFIERS = 3,
	APPLICATIONS = 3,
	GROUPS = 2,
	MEMBERS = 3,
	VARIANTS = 4, /* mixes of each policy */
	TEXT_MAX = 1 << 14
};

/* What a policy says, in random numbers. */
typedef struct shape {
	unsigned modules[MODULES];
	unsigned classifiers[CLASSIFIERS];
	unsigned applications[APPLICATIONS];
	unsigned groups[APPLICATIONS][GROUPS];
} shape;

static uint64_t state;

static unsigned
draw(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33);
}

static long
read_number(const char *name, long fallback)
{
	const char *text = getenv(name);

	return text == NULL ? fallback : atol(text);
}

static shape
draw_shape(void)
{
	shape one;
	unsigned *numbers = (unsigned *)&one;

	for (size_t i = 0; i < sizeof(one) / sizeof(*numbers); i++)
		numbers[i] = draw();
	return one;
}

static const char *
flag(unsigned number, const char *key)
{
	static char text[2][40];
	static int next;

	if (number % 4 != 0)
		return "";
	next = !next;
	snprintf(text[next], sizeof(text[next]), ", \"%s\": true", key);
	return text[next];
}

/* A module that fails cannot tell, or gives no verdict at all. */
static void
write_modules(FILE *out, const shape *one, unsigned failing, int from, int to)
{
	static const char *const works[] = { "pass", "fail", "pass", "skip" };
	static const char *const fails[] = { "error", "odd" };

	for (int i = from; i < to; i++) {
		unsigned number = one->modules[i];
		bool broken = (failing >> i & 1) != 0;

		fprintf(out, "%s{\"name\": \"m%d\", \"description\": \"\", \"type\": \"verdict\","
		             " \"data\": {\"verdict\": \"%s\"}%s}",
		        i == from ? "" : ", ", i, broken ? fails[number / 64 % 2] : works[number % 4],
		        flag(number / 4, "invert"));
	}
}

/* A list of names of 'prefix', from 'first' on, of which there are 'count'. */
static void
write_names(FILE *out, unsigned number, const char *prefix, unsigned first, unsigned count)
{
	unsigned length = number % (MEMBERS + 1);

	for (unsigned i = 0; i < length; i++) {
		number /= 5;
		fprintf(out, "%s\"%s%u\"", i == 0 ? "" : ", ", prefix, first + number % count);
	}
}

static const char *
require_word(unsigned number)
{
	static const char *const words[] = { "none", "one", "any", "all" };

	return words[number % 4];
}

static void
write_application(FILE *out, const shape *one, int index)
{
	unsigned number = one->applications[index];

	fprintf(out, "%s{\"description\": \"a%d\"%s%s, \"apply\": [", index == 0 ? "" : ", ", index,
	        flag(number, "invert"), flag(number / 4, "stop-on-failure"));
	for (int i = 0; i < GROUPS; i++) {
		unsigned chosen = one->groups[index][i];

		fprintf(out, "%s{\"require\": \"%s\", \"limits\": [", i == 0 ? "" : ", ",
		        require_word(chosen));
		write_names(out, chosen / 4, "m", IDENTIFIERS, MODULES - IDENTIFIERS);
		fputs("]}", out);
	}
	fputs("]", out);
	if (number / 16 % 4 != 0)
		fprintf(out, ", \"classifier\": \"c%u\"", number / 64 % CLASSIFIERS);
	fputs("}", out);
}

/* The policy in which the modules of 'failing' fail. */
static void
write_policy(const shape *one, unsigned failing, char text[TEXT_MAX])
{
	FILE *out = fmemopen(text, TEXT_MAX, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	fputs("{\"schema\": 4, \"identifiers\": [", out);
	write_modules(out, one, failing, 0, IDENTIFIERS);
	fputs("], \"classifiers\": [", out);
	for (int i = 0; i < CLASSIFIERS; i++) {
		fprintf(out, "%s{\"name\": \"c%d\", \"description\": \"\", \"require\": \"%s\","
		             " \"identifiers\": [", i == 0 ? "" : ", ", i,
		        require_word(one->classifiers[i]));
		write_names(out, one->classifiers[i] / 4, "m", 0, IDENTIFIERS);
		fputs("]}", out);
	}
	fputs("], \"limits\": [", out);
	write_modules(out, one, failing, IDENTIFIERS, MODULES);
	fputs("], \"applications\": [", out);
	for (int i = 0; i < APPLICATIONS; i++)
		write_application(out, one, i);
	fputs("]}", out);
	fclose(out);
}

static bool
admits(limen_engine *engine, const shape *one, unsigned failing)
{
	char text[TEXT_MAX];

	write_policy(one, failing, text);
	policy_case_load(engine, text);
	return policy_case_admits(engine);
}

/* A policy that refuses does so whatever fails.  Returns how many mixes were tried. */
static long
try_policy(limen_engine *engine, long *admitted)
{
	uint64_t seed = state;
	shape one = draw_shape();

	if (admits(engine, &one, 0)) {
		(*admitted)++;
		return 0;
	}
	for (int i = 0; i < VARIANTS; i++) {
		unsigned failing = draw() % ((1U << MODULES) - 1) + 1;

		if (!admits(engine, &one, failing))
			continue;
		printf("# LIMEN_MIX_SEED=%" PRIu64 " fails open with modules %#x\n", seed, failing);
		CU_FAIL("a failing module admits");
	}
	return VARIANTS;
}

static void
test_mixes(void)
{
	limen_engine *engine = policy_case_engine(0);
	long wanted = read_number("LIMEN_MIXES", 20000);
	long admitted = 0;
	long tried = 0;

	state = (uint64_t)read_number("LIMEN_MIX_SEED", 28);
	while (tried < wanted)
		tried += try_policy(engine, &admitted);
	/* The policies are no mere refusals. */
	CU_ASSERT(admitted > wanted / 100);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "failing modules admit nothing that working ones refuse", test_mixes },
		{ NULL, NULL }
	};

	return suite_run("core/mixes", tests);
}
