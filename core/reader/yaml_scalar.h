/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_scalar.h - resolves a YAML scalar to text, null, a boolean or a number.
 *
 * The rules are the core schema of YAML 1.2 (section 10.3.2).  The reader of Kubernetes
 * follows YAML 1.1 and takes more texts for numbers ("010" is eight, "1_000" is a
 * thousand, "0b11" is three).  This reader does the same, because a manifest must mean
 * the same here, and adds a note.  The other booleans of YAML 1.1 (y, n, yes, no, on,
 * off: yaml.org/type/bool.html), which are booleans for Kubernetes too, stay text and get
 * a note: an option that wants a boolean refuses text, so the difference always shows.
 */
#ifndef LIMEN_CORE_READER_YAML_SCALAR_H
#define LIMEN_CORE_READER_YAML_SCALAR_H

#include <limen/value.h>

#include "base/arena.h"

typedef enum yaml_tag {
	YAML_TAG_NONE = 0,
	YAML_TAG_TEXT, /* !!str */
	YAML_TAG_INT,
	YAML_TAG_FLOAT,
	YAML_TAG_BOOL,
	YAML_TAG_NULL,
	YAML_TAG_SEQ,
	YAML_TAG_MAP,
	YAML_TAG_MERGE,
	YAML_TAG_UNKNOWN
} yaml_tag;

/* A remark for the author about a scalar that was accepted. */
typedef enum yaml_remark {
	YAML_REMARK_NONE = 0,
	YAML_REMARK_NUMBER, /* read as Kubernetes reads it; YAML 1.2 reads it otherwise */
	YAML_REMARK_WORD    /* read as text; YAML 1.1 reads a boolean */
} yaml_remark;

typedef struct yaml_scalar {
	limen_type type;  /* NULL, BOOL, INTEGER, REAL or STRING */
	bool truth;       /* of a BOOL */
	const char *text; /* STRING: the text as given; INTEGER, REAL: a JSON number */
	size_t length;
	yaml_remark remark;
	const char *problem; /* why it was refused: the end of a sentence about the text; static */
} yaml_scalar;

/*
 * Resolves 'text'.  'plain' says that it was written without quotes, 'nan' that
 * .inf and .nan are accepted (as NaN, Infinity, -Infinity).  A number that must
 * be rewritten is kept in 'memory'.  Returns LIMEN_OK, LIMEN_EINVAL (see
 * 'problem') or LIMEN_ENOMEM.
 */
int yaml_scalar_resolve(const char *text, size_t length, bool plain, yaml_tag tag, bool nan,
                        arena *memory, yaml_scalar *out);

/* Returns the tag with the full name 'name' ("tag:yaml.org,2002:str"). */
yaml_tag yaml_tag_find(const char *name, size_t length);

#endif
