/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - checks the ABI of descriptors and copies older, shorter ones into structs
 * of the current size.
 */
#include "loader.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "option/option.h"

/* Rows end after 'secret' in ABI 1.0; none can be shorter. */
#define OPTION_SIZE_MIN (offsetof(limen_option, secret) + sizeof(bool))
#define OPTION_SIZE_MAX 4096 /* no header of a later minor number has rows that are longer */
#define OPTION_COUNT_MAX 1000
#define OPTION_DEPTH_MAX 4 /* as limen/option.h says */

/* Holds KIND/TYPE; a type has at most 64 characters (loader.c). */
#define NAME_SIZE 96

/* The required size and methods of a descriptor of each kind. */
typedef struct kind_rule {
	size_t size;
	size_t method; /* offset of the required method */
	size_t other;  /* of an alternative; equal to 'method' if there is none */
	const char *missing;
} kind_rule;

#define METHOD(kind_struct, field) offsetof(kind_struct, field), offsetof(kind_struct, field), #field

static const kind_rule kind_rules[] = {
	[LIMEN_KIND_IDENTIFIER] = { sizeof(limen_identifier_module),
	                            METHOD(limen_identifier_module, identify) },
	[LIMEN_KIND_REWRITER] = { sizeof(limen_rewriter_module),
	                          METHOD(limen_rewriter_module, rewrite) },
	[LIMEN_KIND_LIMIT] = { sizeof(limen_limit_module), METHOD(limen_limit_module, check) },
	[LIMEN_KIND_ADMISSION] = { sizeof(limen_admission_module),
	                           offsetof(limen_admission_module, mutate),
	                           offsetof(limen_admission_module, validate),
	                           "mutate or validate" },
	[LIMEN_KIND_PRIORITIZER] = { sizeof(limen_prioritizer_module),
	                             METHOD(limen_prioritizer_module, prioritize) },
	[LIMEN_KIND_STORE] = { sizeof(limen_store_module), METHOD(limen_store_module, take) },
};

static bool
has_method(const module *candidate, size_t offset)
{
	void (*method)(void);

	memcpy(&method, (const char *)&candidate->descriptor + offset, sizeof(method));
	return method != NULL;
}

/* The name of the method 'candidate' lacks and must have, or NULL. */
static const char *
missing_method(const module *candidate, limen_kind kind)
{
	const kind_rule *rule = &kind_rules[kind];

	if (!has_method(candidate, rule->method) && !has_method(candidate, rule->other))
		return rule->missing;
	if (kind == LIMEN_KIND_STORE && candidate->descriptor.store.open_table == NULL)
		return "open_table";
	return NULL;
}

static bool
check_version(const limen_module_head *raw, limen_diag *diag, limen_value where)
{
	if (raw->abi_major == LIMEN_ABI_MAJOR && raw->abi_minor <= LIMEN_ABI_MINOR)
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
	               "the module was built for ABI %u.%u; this limen has %u.%u", raw->abi_major,
	               raw->abi_minor, (unsigned)LIMEN_ABI_MAJOR, (unsigned)LIMEN_ABI_MINOR);
	limen_diag_hint(diag, raw->abi_major == LIMEN_ABI_MAJOR
	                              ? "install a newer limen, or build the module against this one"
	                              : "build the module against the headers of this limen");
	return false;
}

/* Are kind and name those of the file's place or, without a file, such as a place can have? */
static bool
check_identity(const limen_module_head *raw, limen_kind kind, const char *type, limen_diag *diag,
               limen_value where)
{
	const char *known = limen_kind_name((limen_kind)raw->kind);
	const char *claimed = known == NULL ? "unknown" : known;
	const char *name = raw->name == NULL ? "" : raw->name;

	if (type == NULL && (known == NULL || !loader_is_type_name(name)))
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the module has no valid kind and name: '%s/%s'", claimed, name);
	else if (type != NULL && raw->kind != kind)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the module is of kind '%s', not '%s'", claimed,
		               limen_kind_name(kind));
	else if (type != NULL && strcmp(name, type) != 0)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the module calls itself '%s', but its file is named '%s'", name,
		               type);
	else
		return true;
	return false;
}

static bool
check_size(const limen_module_head *raw, limen_diag *diag, limen_value where)
{
	const char *fault = NULL;

	if (raw->size < sizeof(limen_module_head) ||
	    (raw->options != NULL && raw->option_size < OPTION_SIZE_MIN))
		fault = "the module's descriptor is too short to be one";
	else if (raw->options != NULL && (raw->option_size > OPTION_SIZE_MAX ||
	                                 raw->option_size % alignof(limen_option) != 0))
		fault = "the module's 'option_size' is not the size of a limen_option";
	if (fault != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s", fault);
	return fault == NULL;
}

/* A bit that no header of this ABI defines is a mistake: newer minor numbers are refused. */
static bool
check_flags(const limen_module_head *raw, const char *name, limen_diag *diag, limen_value where)
{
	uint64_t unknown = raw->flags & ~KNOWN_MODULE_FLAGS;

	if (unknown != 0)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the module %s is refused: 'flags' has the unknown bits %#" PRIx64,
		               name, unknown);
	return unknown == 0;
}

/* A later minor number gives them a meaning. */
static bool
check_reserved(const limen_module_head *raw, const char *name, limen_diag *diag, limen_value where)
{
	for (size_t i = 0; i < sizeof(raw->reserved) / sizeof(raw->reserved[0]); i++) {
		if (raw->reserved[i] == NULL)
			continue;
		return limen_diag_refuse(diag, where,
		                         "the module %s is refused: 'reserved' is not NULL", name);
	}
	return true;
}

/* Policies have these keys of limen beside the options of a rewriter or prioritizer. */
static bool
check_keys(const module *candidate, const char *name, limen_diag *diag, limen_value where)
{
	uint32_t kind = candidate->descriptor.head.kind;
	bool good = true;

	for (const limen_option *row = candidate->options; row->type != LIMEN_OPTION_NONE; row++) {
		bool own = strcmp(row->key, "type") == 0
		                   ? kind == LIMEN_KIND_REWRITER || kind == LIMEN_KIND_PRIORITIZER
		                   : kind == LIMEN_KIND_PRIORITIZER &&
		                             strcmp(row->key, "default") == 0;

		if (own)
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
			               "the module %s is refused: option %zu '%s': limen reads this "
			               "key itself",
			               name, (size_t)(row - candidate->options) + 1, row->key);
		good = good && !own;
	}
	return good;
}

/* One call of copy_options(): whose tables, and where problems are reported. */
typedef struct table_copy {
	const char *module;
	size_t stride;
	arena *memory;
	limen_diag *diag;
	limen_value where;
} table_copy;

/* Returns the number of rows at 'from', or OPTION_COUNT_MAX if there is no end before. */
static size_t
count_options(const limen_option *from, size_t stride)
{
	const char *row = (const char *)from;
	size_t count = 0;

	while (count < OPTION_COUNT_MAX && row != NULL &&
	       ((const limen_option *)(const void *)row)->type != LIMEN_OPTION_NONE) {
		row += stride;
		count++;
	}
	return count;
}

/*
 * Copies a table, 'depth' tables deep, into rows of our size; the module's have its own stride.
 * NULL after a report.
 */
static limen_option *
copy_options(const table_copy *copy, const limen_option *from, size_t depth)
{
	size_t size = copy->stride < sizeof(limen_option) ? copy->stride : sizeof(limen_option);
	size_t count = count_options(from, copy->stride);
	limen_option *rows;

	if (count == OPTION_COUNT_MAX || depth > OPTION_DEPTH_MAX) {
		limen_diag_add(copy->diag, LIMEN_SEVERITY_PROBLEM, copy->where,
		               count == OPTION_COUNT_MAX
		                       ? "the module %s is refused: a table has %d options or more, "
		                         "or no LIMEN_OPT_END"
		                       : "the module %s is refused: its tables are more than %d deep",
		               copy->module,
		               count == OPTION_COUNT_MAX ? OPTION_COUNT_MAX : OPTION_DEPTH_MAX);
		return NULL;
	}
	rows = arena_calloc(copy->memory, count + 1, sizeof(*rows));
	if (rows == NULL)
		limen_diag_add(copy->diag, LIMEN_SEVERITY_PROBLEM, copy->where, "%s",
		               limen_result_text(LIMEN_ENOMEM));
	for (size_t i = 0; rows != NULL && i < count; i++) {
		memcpy(&rows[i], (const char *)from + i * copy->stride, size);
		if (rows[i].type != LIMEN_OPTION_ROWS || rows[i].rows == NULL)
			continue;
		rows[i].rows = copy_options(copy, rows[i].rows, depth + 1);
		if (rows[i].rows == NULL)
			return NULL;
	}
	return rows;
}

bool
module_normalise(const limen_module_head *raw, limen_kind kind, const char *type, module *out,
                 limen_diag *diag, limen_value where)
{
	char name[NAME_SIZE];
	table_copy copy = { .module = name, .memory = &out->memory, .diag = diag, .where = where };
	const char *missing;
	size_t size;

	if (!check_version(raw, diag, where) || !check_identity(raw, kind, type, diag, where) ||
	    !check_size(raw, diag, where))
		return false;
	size = kind_rules[raw->kind].size;
	memset(&out->descriptor, 0, sizeof(out->descriptor));
	memcpy(&out->descriptor, raw, raw->size < size ? raw->size : size);
	missing = missing_method(out, (limen_kind)raw->kind);
	if (missing != NULL)
		return limen_diag_refuse(diag, where, "the module has no method '%s'", missing);
	snprintf(name, sizeof(name), "%s/%s", limen_kind_name((limen_kind)raw->kind), raw->name);
	if (!check_flags(raw, name, diag, where) || !check_reserved(raw, name, diag, where))
		return false;
	arena_reset(&out->memory);
	copy.stride = raw->option_size;
	out->options = copy_options(&copy, raw->options, 1);
	return out->options != NULL &&
	       options_check(out->options, raw->instance_size, name, diag, where) &&
	       check_keys(out, name, diag, where);
}
