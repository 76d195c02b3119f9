/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options_check.c - checks the option table of a module when the module is loaded, so that its
 * author learns of a mistake in a row before a policy runs into it.
 */
#include "options.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

/* A row being checked, and where its mistakes are reported. */
typedef struct row_check {
	const struct row_check *parent; /* the row whose table this is; NULL: the module's */
	const limen_option *rows;
	const limen_option *row;
	size_t size; /* of the struct that the table fills */
	const char *module;
	limen_diag *diag;
	limen_value where;
} row_check;

/* "option 2 'limits': option 1 'max': " */
static void
add_path(strbuf *text, const row_check *check)
{
	if (check->parent != NULL)
		add_path(text, check->parent);
	strbuf_addf(text, "option %zu", (size_t)(check->row - check->rows) + 1);
	if (check->row->key != NULL)
		strbuf_addf(text, " '%s'", check->row->key);
	strbuf_adds(text, ": ");
}

static bool LIMEN_PRINTF(2, 3)
refuse(const row_check *check, const char *format, ...)
{
	strbuf text = STRBUF_INIT;
	va_list arguments;

	strbuf_addf(&text, "the module %s is refused: ", check->module);
	add_path(&text, check);
	va_start(arguments, format);
	strbuf_addv(&text, format, arguments);
	va_end(arguments);
	limen_diag_add(check->diag, LIMEN_SEVERITY_PROBLEM, check->where, "%s",
	               text.failed ? limen_result_text(LIMEN_ENOMEM) : text.text);
	strbuf_free(&text);
	return false;
}

static bool
check_key(const row_check *check)
{
	const limen_option *row = check->row;

	if (row->key == NULL || row->key[0] == '\0')
		return refuse(check, "'key' is missing");
	if (row->key[0] == '#')
		return refuse(check, "policies have comments under keys that begin with '#'");
	for (const limen_option *other = check->rows; other < row; other++)
		if (other->key != NULL && strcmp(other->key, row->key) == 0)
			return refuse(check, "'key' is that of option %zu",
			              (size_t)(other - check->rows) + 1);
	return true;
}

static bool
check_offset(const row_check *check)
{
	const limen_option *row = check->row;
	size_t size = option_field_size(row->type);

	if (size == 0)
		return refuse(check, "'type' %" PRIu32 " does not exist", row->type);
	if (row->offset + size <= check->size)
		return row->offset % option_field_alignment(row->type) == 0 ||
		       refuse(check, "'offset' %" PRIu32 " is not a multiple of %zu", row->offset,
		              option_field_alignment(row->type));
	refuse(check, "'offset' %" PRIu32 " is outside of the %s of %zu bytes", row->offset,
	       check->parent == NULL ? "instance" : "struct", check->size);
	if (check->parent == NULL)
		limen_diag_hint(check->diag, "does the descriptor say '.instance_size'?");
	return false;
}

static bool
check_bounds(const row_check *check)
{
	const limen_option *row = check->row;

	if (row->minimum == 0 && row->maximum == 0)
		return true;
	switch (row->type) {
	case LIMEN_OPTION_INT:
	case LIMEN_OPTION_INTS:
	case LIMEN_OPTION_RANGES:
	case LIMEN_OPTION_REAL:
	case LIMEN_OPTION_DURATION:
		break;
	default:
		return refuse(check, "'%s' is for numbers and durations",
		              row->minimum != 0 ? "minimum" : "maximum");
	}
	if (option_has_maximum(row) && row->minimum > row->maximum)
		return refuse(check, "'minimum' %" PRId64 " is above 'maximum' %" PRId64,
		              row->minimum, row->maximum);
	return true;
}

static bool
check_choices(const row_check *check)
{
	const limen_option *row = check->row;

	if (row->type != LIMEN_OPTION_ENUM)
		return row->choices == NULL || refuse(check, "'choices' is for LIMEN_OPT_ENUM");
	return (row->choices != NULL && row->choices[0] != NULL) ||
	       refuse(check, "'choices' is missing");
}

static bool
check_count(const row_check *check)
{
	switch (check->row->type) {
	case LIMEN_OPTION_STRINGS:
	case LIMEN_OPTION_INTS:
	case LIMEN_OPTION_RANGES:
	case LIMEN_OPTION_CIDRS:
	case LIMEN_OPTION_ROWS:
		return true;
	default:
		return check->row->minimum_count == 0 ||
		       refuse(check, "'minimum_count' is for lists");
	}
}

static bool
check_pattern(const row_check *check)
{
	const limen_option *row = check->row;
	char why[LIMEN_MATCH_WHY_MAX] = "out of memory";
	limen_string_match *compiled;

	if (row->pattern == NULL)
		return true;
	if (row->type != LIMEN_OPTION_STRING && row->type != LIMEN_OPTION_STRINGS)
		return refuse(check, "'pattern' is for LIMEN_OPT_STRING and LIMEN_OPT_STRINGS");
	if (option_pattern(row, &compiled, why) != LIMEN_OK)
		return refuse(check, "'pattern': %s", why);
	limen_string_match_free(compiled);
	return true;
}

/* A later minor number gives these bytes a meaning: what is in them today must be known. */
static bool
check_reserved(const row_check *check)
{
	static const uint8_t zero[sizeof(check->row->reserved)];

	return memcmp(check->row->reserved, zero, sizeof(zero)) == 0 ||
	       refuse(check, "'reserved' is not 0");
}

static bool check_table(row_check *check);

static bool
check_rows(const row_check *check)
{
	const limen_option *row = check->row;
	row_check inner = *check;

	if (row->type != LIMEN_OPTION_ROWS)
		return (row->rows == NULL && row->row_size == 0) ||
		       refuse(check, "'%s' is for LIMEN_OPT_ROWS",
		              row->rows != NULL ? "rows" : "row_size");
	if (row->rows == NULL || row->row_size == 0)
		return refuse(check, "'%s' is missing", row->rows == NULL ? "rows" : "row_size");
	inner.parent = check;
	inner.rows = row->rows;
	inner.size = row->row_size;
	return check_table(&inner);
}

/* Any store will do: which there are is known when a policy is loaded. */
static limen_store *
find_any_store(void *data, const char *name, limen_value where)
{
	(void)name;
	(void)where;
	return data;
}

static bool
check_fallback(const row_check *check)
{
	union {
		max_align_t aligned;
		char bytes[sizeof(limen_transform)];
	} field;
	cleanup owned = CLEANUP_INIT;
	limen_diag *found = limen_diag_new();
	const options_context context = { .owner = &owned, .diag = found,
		                          .find_store = find_any_store, .find_data = &field };
	const limen_option *row = check->row;
	bool good = row->fallback == NULL || option_fallback(row, &field, &context);
	const limen_problem *first = limen_diag_get(found, 0);

	if (row->fallback != NULL &&
	    utf8_valid(row->fallback, strlen(row->fallback)) != strlen(row->fallback))
		good = refuse(check, "'fallback' is not UTF-8");
	else if (row->fallback != NULL && row->required)
		good = refuse(check, "'fallback' is never used: the option is required");
	else if (!good)
		refuse(check, "'fallback': %s",
		       first == NULL ? limen_result_text(LIMEN_ENOMEM) : first->text);
	cleanup_run(&owned);
	limen_diag_free(found);
	return good;
}

static bool
check_table(row_check *check)
{
	bool good = true;

	for (check->row = check->rows; check->row->type != LIMEN_OPTION_NONE; check->row++)
		good = check_key(check) && check_offset(check) && check_bounds(check) &&
		       check_choices(check) && check_count(check) && check_pattern(check) &&
		       check_reserved(check) && check_rows(check) && check_fallback(check) && good;
	return good;
}

bool
options_check(const limen_option *rows, size_t instance_size, const char *module, limen_diag *diag,
              limen_value where)
{
	row_check check = { .rows = rows, .size = instance_size, .module = module,
		.diag = diag, .where = where };

	return check_table(&check);
}
