/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - the module that tests/abi compiles again and again: as it is, and
 * with one thing wrong that a macro names.
 */
#include <limen/module.h>

#if defined(NEEDS_SYMBOL)
void limen_nobody_has_this(void);
#endif
#if defined(NEEDS_LIBRARY)
void helper(void);
#endif

struct probe {
	int64_t max;
	const char *word;
};

static const limen_option options[] = {
	LIMEN_OPT_INT(struct probe, max, .key = "max", .required = true, .help = "The most"),
	LIMEN_OPT_STRING(struct probe, word, .key = "word", .fallback = "units", .help = "Of what"),
	LIMEN_OPT_END
};

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct probe *probe = self;
	int64_t value;

#if defined(NEEDS_SYMBOL)
	limen_nobody_has_this();
#endif
#if defined(NEEDS_LIBRARY)
	helper();
#endif
	if (!limen_value_int(limen_value_get(limen_request_document(req), "n"), &value))
		return LIMEN_SKIP;
	if (value <= probe->max)
		return LIMEN_PASS;
	limen_reply_reason(reply, "more than %d %s", (int)probe->max, probe->word);
	return LIMEN_FAIL;
}

#if defined(NO_SYMBOL)

extern const int something_else;
LIMEN_API const int something_else = 1;
const void *unused(void);
const void *
unused(void)
{
	return options + (check == NULL);
}

#else

#ifndef MAJOR
#define MAJOR LIMEN_ABI_MAJOR
#endif
#ifndef MINOR
#define MINOR LIMEN_ABI_MINOR
#endif
#ifndef KIND
#define KIND LIMEN_KIND_LIMIT
#endif
#ifndef SIZE
#define SIZE sizeof(limen_limit_module)
#endif
#ifndef CHECK
#define CHECK check
#endif

/* What LIMEN_LIMIT() writes, with every field open to be wrong. */
LIMEN_API extern const limen_limit_module limen_module;
const limen_limit_module limen_module = {
	.abi_major = MAJOR,
	.abi_minor = MINOR,
	.kind = KIND,
	.size = SIZE,
	.option_size = sizeof(limen_option),
	.instance_size = sizeof(struct probe),
	.name = "probe",
	.version = "7",
	.summary = "Probes",
	.options = options,
	.check = CHECK,
#ifdef RESERVED
	.reserved = { [RESERVED] = options },
#endif
};

#endif
