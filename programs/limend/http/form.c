/* SPDX-License-Identifier: Apache-2.0 */
/*
 * form.c - splits and decodes the body of a form in a copy that the form owns.  Rejects a '%'
 * without two hexadecimal digits, a NUL in a name, and more than 32 fields.
 */
#include "form.h"

#include <string.h>

#include "query.h"

/* Reads the field of 'length' bytes at 'text', which has room for a NUL behind it. */
static bool
add_field(form *out, char *text, size_t length, fault *why)
{
	char *equals = memchr(text, '=', length);
	size_t name_length = equals == NULL ? length : (size_t)(equals - text);
	char *value = text + name_length + (equals == NULL ? 0 : 1);
	gssize name_kept = query_decode(text, name_length, true);
	gssize value_kept = query_decode(value, length - (size_t)(value - text), true);

	if (name_kept < 0 || value_kept < 0)
		return fault_set(why, 400, "The form has a '%%' without two digits behind it");
	if (memchr(text, '\0', (size_t)name_kept) != NULL)
		return fault_set(why, 400, "The name of a field holds a NUL");
	if (out->count == FORM_FIELDS_MAX)
		return fault_set(why, 400, "The form has more than %d fields", FORM_FIELDS_MAX);
	/* The value first: without "=" it begins where the NUL of the name goes. */
	value[value_kept] = '\0';
	text[name_kept] = '\0';
	out->pairs[out->count] = (http_pair){ .name = text, .value = value,
		                              .length = (size_t)value_kept };
	out->count++;
	return true;
}

bool
form_read(form *out, const http_request *request, fault *why)
{
	char *at;
	char *end;

	*out = (form){ .count = 0 };
	out->text = g_malloc(request->length + 1);
	memcpy(out->text, request->body, request->length);
	out->text[request->length] = '\0';
	end = out->text + request->length;
	for (at = out->text; at < end;) {
		char *next = memchr(at, '&', (size_t)(end - at));
		size_t length = (size_t)((next == NULL ? end : next) - at);

		if (length > 0 && !add_field(out, at, length, why))
			return false;
		at += length + 1;
	}
	return true;
}

void
form_clear(form *of)
{
	g_free(of->text);
	*of = (form){ .count = 0 };
}
