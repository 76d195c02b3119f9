/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_number.h - the ways YAML writes a number, and the same number as JSON
 * writes it.  yaml_scalar.h says which rules these are.
 */
#ifndef LIMEN_CORE_READER_YAML_NUMBER_H
#define LIMEN_CORE_READER_YAML_NUMBER_H

#include "base/arena.h"

typedef struct yaml_number {
	const char *text; /* a number of RFC 8259; as written if that already is one */
	size_t length;
	bool integer;  /* written without fraction and exponent */
	bool disputed; /* YAML 1.2 and the reader of Kubernetes differ; this is the latter's */
} yaml_number;

/*
 * Reads all of 'text'.  'out' points into 'text' or 'memory'.  Returns
 * LIMEN_OK, LIMEN_EINVAL (no number), LIMEN_ERANGE (digits of another base
 * than ten that do not fit 64 bits) or LIMEN_ENOMEM.
 */
int yaml_number_read(const char *text, size_t length, arena *memory, yaml_number *out);

#endif
