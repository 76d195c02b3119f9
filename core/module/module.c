/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - checks the ABI of descriptors and copies older, shorter ones into structs
 * of the current size.
 */
#include "loader.h"

#include <stdlib.h>
#include <string.h>

/* The rows of the first version ended after 'help'; none can be shorter. */
#define OPTION_SIZE_MIN (offsetof(limen_option, help) + sizeof(const char *))
#define OPTION_COUNT_MAX 1000

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
	if (raw->size >= sizeof(limen_module_head) &&
	    (raw->options == NULL || raw->option_size >= OPTION_SIZE_MIN))
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
	               "the module's descriptor is too short to be one");
	return false;
}

/* Option rows are an array in the module's stride; ours may be longer. */
static limen_option *
copy_options(const limen_module_head *raw)
{
	size_t size = raw->option_size < sizeof(limen_option) ? raw->option_size
	                                                      : sizeof(limen_option);
	const char *from = (const char *)raw->options;
	size_t count = 0;
	limen_option *rows;

	while (from != NULL && count < OPTION_COUNT_MAX &&
	       ((const limen_option *)(const void *)(from + count * raw->option_size))->type !=
	               LIMEN_OPTION_NONE)
		count++;
	rows = calloc(count + 1, sizeof(*rows));
	for (size_t i = 0; rows != NULL && i < count; i++)
		memcpy(&rows[i], from + i * raw->option_size, size);
	return rows;
}

/* Filling an option that lies outside of the instance would write over other memory. */
static bool
check_options(const limen_module_head *raw, limen_diag *diag, limen_value where)
{
	const char *row = (const char *)raw->options;

	for (size_t i = 0; row != NULL && i < OPTION_COUNT_MAX; i++, row += raw->option_size) {
		const limen_option *option = (const limen_option *)(const void *)row;

		if (option->type == LIMEN_OPTION_NONE)
			return true;
		if (option->offset < raw->instance_size)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the module's option '%s' lies outside of its instance",
		               option->key == NULL ? "" : option->key);
		limen_diag_hint(diag, "does the descriptor say '.instance_size'?");
		return false;
	}
	return true;
}

bool
module_normalise(const limen_module_head *raw, limen_kind kind, const char *type, module *out,
                 limen_diag *diag, limen_value where)
{
	const char *missing;
	size_t size;

	if (!check_version(raw, diag, where) || !check_identity(raw, kind, type, diag, where) ||
	    !check_size(raw, diag, where))
		return false;
	size = kind_rules[raw->kind].size;
	memset(&out->descriptor, 0, sizeof(out->descriptor));
	memcpy(&out->descriptor, raw, raw->size < size ? raw->size : size);
	missing = missing_method(out, (limen_kind)raw->kind);
	if (missing != NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "the module has no method '%s'",
		               missing);
		return false;
	}
	if (!check_options(raw, diag, where))
		return false;
	out->options = copy_options(raw);
	if (out->options == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s",
		               limen_result_text(LIMEN_ENOMEM));
		return false;
	}
	return true;
}
