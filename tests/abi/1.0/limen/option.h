/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/option.h - the table of options a module takes.
 *
 * One row a key: how its value is checked, which field of the instance it
 * fills, what it means.  The core validates the "data" of an entry against the
 * table, fills the instance and then calls 'open'; the same table gives the
 * messages of "limen validate", "limen explain TYPE", the JSON Schema and the
 * reference page.  Rows are written with the LIMEN_OPT_* macros, which refuse
 * to compile when the field's C type does not fit:
 *
 *	static const limen_option cap_options[] = {
 *		LIMEN_OPT_PATH(struct cap, path, .key = "path", .required = true,
 *		               .help = "the attribute to compare"),
 *		LIMEN_OPT_INT(struct cap, max, .key = "max", .minimum = 1,
 *		              .help = "the largest value admitted"),
 *		LIMEN_OPT_END
 *	};
 *
 * Strings, lists and sets that fields point to belong to the instance: they are freed after its
 * 'close', and never change.  Any number of threads may read them.
 *
 * "data" may have no other keys than those of the table, and those that begin with "#", which are
 * comments.  An unknown key is a problem with the nearest key as a hint; in limits, where
 * pScheduler ignores it, a warning.  All problems of an entry are reported at once, each with file,
 * line and column.  A module checks in 'open' only what no row can say, such as two options that
 * exclude each other, and reports it at limen_opening_option().
 *
 * A rewriter has its options in the section "rewrite" itself, beside the key "type", and a
 * prioritizer in "priority", beside "type" and "default": a row with such a key is refused.
 */
#ifndef LIMEN_OPTION_H
#define LIMEN_OPTION_H

#include <limen/cidr.h>
#include <limen/duration.h>
#include <limen/string_match.h>
#include <limen/value.h>

/* How a value is checked, and the C type of the field it fills. */
typedef enum limen_option_type {
	LIMEN_OPTION_NONE = 0,      /* ends a table */
	LIMEN_OPTION_STRING = 1,    /* const char *: UTF-8 without NULs */
	LIMEN_OPTION_STRINGS = 2,   /* limen_strings: array of strings */
	LIMEN_OPTION_INT = 3,       /* int64_t in minimum..maximum */
	LIMEN_OPTION_INTS = 4,      /* limen_ints: array of integers in minimum..maximum */
	LIMEN_OPTION_RANGES = 5,    /* limen_ranges: array of integers and {lower, upper} */
	LIMEN_OPTION_REAL = 6,      /* double in minimum..maximum */
	LIMEN_OPTION_BOOL = 7,      /* bool */
	LIMEN_OPTION_DURATION = 8,  /* limen_duration: ISO 8601, in minimum..maximum */
	LIMEN_OPTION_TIMESTAMP = 9, /* limen_timestamp: ISO 8601 */
	LIMEN_OPTION_CIDRS = 10,    /* const limen_cidr_set *: array of addresses and networks */
	LIMEN_OPTION_MATCH = 11,    /* const limen_string_match *: a StringMatch */
	LIMEN_OPTION_ENUM = 12,     /* int: index in 'choices' */
	LIMEN_OPTION_PATH = 13,     /* const limen_path *: an RFC 6901 pointer */
	LIMEN_OPTION_URL = 14,      /* const char *: an absolute URI (RFC 3986) */
	LIMEN_OPTION_TRANSFORM = 15, /* limen_transform: a jq script with its arguments */
	LIMEN_OPTION_JSON = 16,     /* limen_value: anything */
	LIMEN_OPTION_OBJECT = 17,   /* limen_value: any object */
	LIMEN_OPTION_STORE = 18,    /* limen_store *: the name of a store */
	LIMEN_OPTION_SCRIPT = 19,   /* limen_transform: the script alone */
	LIMEN_OPTION_ROWS = 20,     /* limen_rows: array of objects, each checked by 'rows' */
	LIMEN_OPTION_TIME_OF_DAY = 21, /* limen_duration since midnight: "HH:MM" or "HH:MM:SS" */
	LIMEN_OPTION_DATE = 22      /* limen_date: "YYYY-MM-DD" */
} limen_option_type;

/*
 * The field of a list option: 'count' items; NULL and 0 when the option is absent or an empty
 * array.  The texts end with a NUL and hold none.
 */
typedef struct limen_strings {
	const char *const *items;
	size_t count;
} limen_strings;

/* Integers, in the order given; a number that is given twice is there twice. */
typedef struct limen_ints {
	const int64_t *items;
	size_t count;
} limen_ints;

/* Values lower..upper, both included; empty if lower is above upper. */
typedef struct limen_range {
	int64_t lower;
	int64_t upper;
} limen_range;

/* Ranges, in the order given; they may overlap. */
typedef struct limen_ranges {
	const limen_range *items;
	size_t count;
} limen_ranges;

/*
 * Structs of 'row_size' bytes, one for each object, in the order given.  Cast 'items' to a pointer
 * to the struct that LIMEN_OPT_ROWS() names.
 */
typedef struct limen_rows {
	const void *items;
	size_t count;
} limen_rows;

/*
 * pScheduler's jq transform; 'where' is the script's place for messages.  The
 * type TRANSFORM takes an object with "script", "args" and "output-raw".  The
 * type SCRIPT takes the value of "script" and fills 'script' and 'where', for
 * modules whose data is itself a transform: they have rows for the rest.
 */
typedef struct limen_transform {
	const char *script; /* array elements joined by newlines; NULL if not given */
	limen_value args;   /* an object, or none */
	limen_value where;
	bool output_raw;
} limen_transform;

/*
 * One row of the table.  A field whose option is absent and has no 'fallback' stays
 * zero.  The core reads rows in the module's own stride, so the struct may grow.
 * Members stand in the order in which rows are written, as C++ demands.
 *
 * A module with a mistake in a row is refused when it is loaded: without a key or with one
 * that another row has, with an offset outside of the instance or not aligned for the field, a
 * 'fallback' that its own row would refuse or that is not UTF-8, or a member that the type does
 * not use.
 */
typedef struct limen_option {
	uint32_t type;       /* limen_option_type */
	uint32_t offset;     /* of the field in the instance */
	/*
	 * ROWS: the table of one object, whose offsets are in the struct that it fills;
	 * ended by LIMEN_OPT_END.  A table may have tables in it, four deep.
	 */
	const struct limen_option *rows;
	uint32_t row_size;   /* ROWS: sizeof that struct */
	const char *key;     /* as in "data"; unique in the table */
	bool required;       /* absent is a problem; then there is no 'fallback' */
	uint32_t minimum_count; /* STRINGS, INTS, RANGES, CIDRS, ROWS: fewest items, if given */
	/* INT, INTS, RANGES, REAL, DURATION.  Both 0: no bounds; 0 and INT64_MAX: 0 or more. */
	int64_t minimum;
	int64_t maximum;     /* 0 with a positive minimum: no upper bound */
	/*
	 * STRING, STRINGS: a regular expression that matches each whole string, in the
	 * language of LIMEN_MATCH_REGEX; or NULL.
	 */
	const char *pattern;
	/*
	 * The value if the option is absent, as text: that of a string without quotes, such as
	 * "PT1M", and JSON for other types, such as "10", "true" or "[1, 2]".  NULL: none.
	 */
	const char *fallback;
	const char *const *choices; /* ENUM: the words, ended by NULL */
	const char *help;    /* one sentence without its full stop */
	/*
	 * Shown by "limen explain" after the help, e.g. why an option is there
	 * for compatibility; may be NULL.
	 */
	const char *note;
	/*
	 * Messages and descriptions never show the value: a password, a token, or
	 * what may hold one.
	 */
	bool secret;
	uint8_t reserved[7]; /* 0 */
} limen_option;

/*
 * Private: what begins an initialiser with named fields, and an expression that only
 * compiles if 'field' is a 'field_type'.  C++ has named fields since 2020, its
 * compilers long before; limen/module.hpp has the type that compares.
 */
#ifdef __cplusplus
#if defined(__GNUC__) && !defined(__clang__)
/* Fields that an initialiser does not name are zero, which GCC warns about in C++. */
#define LIMEN_INITIALISE(type, ...)                                                      \
	([] {                                                                            \
		_Pragma("GCC diagnostic push")                                           \
		_Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")       \
		return __extension__ type{ __VA_ARGS__ };                                \
		_Pragma("GCC diagnostic pop")                                            \
	}())
#else
#define LIMEN_INITIALISE(type, ...) __extension__ type{ __VA_ARGS__ }
#endif
#define LIMEN_FIELD_SIZE(object, field, field_type) \
	sizeof(limen::option_field<field_type, decltype(static_cast<object *>(nullptr)->field)>)
#else
#define LIMEN_INITIALISE(type, ...) { __VA_ARGS__ }
#define LIMEN_FIELD_SIZE(object, field, field_type) \
	sizeof(char[_Generic(((object *)0)->field, field_type: 1)])
#endif

/* Private: a row of 'option_type' that only compiles if the field is a 'field_type'. */
#define LIMEN_OPTION_ROW(option_type, object, field, field_type, ...)                     \
	LIMEN_INITIALISE(limen_option, .type = option_type,                               \
	                 .offset = offsetof(object, field) +                              \
	                           0 * LIMEN_FIELD_SIZE(object, field, field_type),       \
	                 __VA_ARGS__)

/*
 * One row: 'object' is the struct of the instance, 'field' its member, which must have the C type
 * that limen_option_type names, and then come members of limen_option, '.key' among them.  A value
 * of another JSON type or out of bounds is a problem of the policy with its place, and 'open' is
 * not called.
 */

/*
 * A string.  The field points to a copy that lives as long as the instance; NULL if the option is
 * absent without a 'fallback'.  'pattern' restricts it.
 */
#define LIMEN_OPT_STRING(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_STRING, object, field, const char *, __VA_ARGS__)
/*
 * An array of strings, each without NULs.  'pattern' restricts each of them, and 'minimum_count'
 * their number.
 */
#define LIMEN_OPT_STRINGS(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_STRINGS, object, field, limen_strings, __VA_ARGS__)
/* An integer.  Reals without a fraction, such as 3.0, count as integers. */
#define LIMEN_OPT_INT(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_INT, object, field, int64_t, __VA_ARGS__)
/* An array of integers, each within 'minimum' and 'maximum'. */
#define LIMEN_OPT_INTS(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_INTS, object, field, limen_ints, __VA_ARGS__)
/*
 * An array of integers N, which are the range N..N, and of objects {"lower": N, "upper": N}.
 * 'minimum' and 'maximum' bound both ends.
 */
#define LIMEN_OPT_RANGES(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_RANGES, object, field, limen_ranges, __VA_ARGS__)
/* A number.  'minimum' and 'maximum' are integers, as for the other types. */
#define LIMEN_OPT_REAL(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_REAL, object, field, double, __VA_ARGS__)
/* true or false; false if the option is absent without a 'fallback'. */
#define LIMEN_OPT_BOOL(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_BOOL, object, field, bool, __VA_ARGS__)
/*
 * A string with an ISO 8601 duration, such as "PT1M30S".  The field, 'minimum' and 'maximum'
 * count microseconds; the fallback is written as in a policy.
 */
#define LIMEN_OPT_DURATION(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_DURATION, object, field, limen_duration, __VA_ARGS__)
/* A string with an ISO 8601 timestamp.  Without a zone it is the server's local time. */
#define LIMEN_OPT_TIMESTAMP(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_TIMESTAMP, object, field, limen_timestamp, __VA_ARGS__)
/*
 * An array of strings with addresses and networks.  Look an address up in the field with
 * limen_cidr_set_contains() (limen/cidr.h).
 */
#define LIMEN_OPT_CIDRS(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_CIDRS, object, field, const limen_cidr_set *, __VA_ARGS__)
/*
 * pScheduler's StringMatch: an object with "style" and "match", "case-insensitive" and "invert".
 * Use the field with limen_string_match_test() and the like (limen/string_match.h).
 */
#define LIMEN_OPT_MATCH(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_MATCH, object, field, const limen_string_match *, __VA_ARGS__)
/*
 * A string that is one of 'choices', which must be given.  The field is its index; 0 if the
 * option is absent, so put the default first or name a 'fallback'.
 */
#define LIMEN_OPT_ENUM(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_ENUM, object, field, int, __VA_ARGS__)
/* A string with an RFC 6901 JSON pointer, compiled for limen_request_find() and the like. */
#define LIMEN_OPT_PATH(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_PATH, object, field, const limen_path *, __VA_ARGS__)
/* A string with an absolute URI.  Messages about it hide a password and a query. */
#define LIMEN_OPT_URL(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_URL, object, field, const char *, __VA_ARGS__)
/* An object with "script", "args" and "output-raw": see limen_transform. */
#define LIMEN_OPT_TRANSFORM(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_TRANSFORM, object, field, limen_transform, __VA_ARGS__)
/*
 * Any value.  The field is none if the option is absent, which limen_value_exists() tells apart
 * from null.  Its place serves for problems that 'open' reports.
 */
#define LIMEN_OPT_JSON(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_JSON, object, field, limen_value, __VA_ARGS__)
/* An object, whose members the module checks itself: the core knows none of them. */
#define LIMEN_OPT_OBJECT(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_OBJECT, object, field, limen_value, __VA_ARGS__)
/*
 * A string with the name of an entry of "stores".  If the option is absent, the field is the store
 * "default".  Open a table in it with limen_opening_table() (limen/host.h).
 */
#define LIMEN_OPT_STORE(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_STORE, object, field, limen_store *, __VA_ARGS__)
/* The script of a transform alone, a string or an array of lines: see limen_transform. */
#define LIMEN_OPT_SCRIPT(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_SCRIPT, object, field, limen_transform, __VA_ARGS__)
/* A string such as "18:00" or "18:00:30".  The field counts microseconds since midnight. */
#define LIMEN_OPT_TIME_OF_DAY(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_TIME_OF_DAY, object, field, limen_duration, __VA_ARGS__)
/* A string such as "2026-12-24". */
#define LIMEN_OPT_DATE(object, field, ...) \
	LIMEN_OPTION_ROW(LIMEN_OPTION_DATE, object, field, limen_date, __VA_ARGS__)

/*
 * A list of objects: each fills one 'struct_type' by the table 'table', and 'items' of the
 * field is an array of these.  The offsets of the table are in 'struct_type'.  Problems name the
 * object by its number.
 */
#define LIMEN_OPT_ROWS(object, field, struct_type, table, ...)                         \
	LIMEN_OPTION_ROW(LIMEN_OPTION_ROWS, object, field, limen_rows, .rows = table, \
	                 .row_size = sizeof(struct_type), __VA_ARGS__)

/*
 * Ends every table.  A table without it is refused if it has 1000 rows or more, and may crash the
 * program before.
 */
#define LIMEN_OPT_END LIMEN_INITIALISE(limen_option, .type = LIMEN_OPTION_NONE)

#endif
