/* SPDX-License-Identifier: Apache-2.0 */
/*
 * form.h - the body of a form (application/x-www-form-urlencoded), as the URL
 * standard reads it.
 */
#ifndef LIMEND_FORM_H
#define LIMEND_FORM_H

#include "arguments.h"

/* More fields than any endpoint knows. */
enum { FORM_FIELDS_MAX = 32 };

typedef struct form {
	char *text; /* holds names and values */
	http_pair pairs[FORM_FIELDS_MAX];
	size_t count;
} form;

/* Reads the body of 'request'.  False with a fault; clear it in any case. */
bool form_read(form *out, const http_request *request, fault *why);
void form_clear(form *of);

#endif
