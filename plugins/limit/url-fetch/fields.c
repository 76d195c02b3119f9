/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.c - writes the objects "headers" and "params" as header lines and a query.
 *
 * The values may come from a script and so from the requester: nothing in them
 * may end a header line and begin another one (RFC 9110 section 5.5).
 */
#include "url_fetch.h"

#include <stdlib.h>
#include <string.h>

/* One member of an object, as text. */
typedef struct field {
	char *name;
	char *value;
} field;

static void
field_clear(field *item)
{
	free(item->name);
	free(item->value);
}

/* jq's text functions stop at a NUL, which must not hide what stands behind it. */
static bool
has_nul(jv text)
{
	bool found = false;

	if (jv_get_kind(text) == JV_KIND_STRING)
		found = memchr(jv_string_value(text), '\0',
		               (size_t)jv_string_length_bytes(jv_copy(text))) != NULL;
	jv_free(text);
	return found;
}

/* Reads the member at 'iter'; LIMEN_EINVAL: it holds a NUL. */
static int
read_field(jv object, int iter, field *out)
{
	jv name = jv_object_iter_key(object, iter);
	jv value = jv_object_iter_value(object, iter);

	*out = (field){ NULL, NULL };
	if (has_nul(jv_copy(name)) || has_nul(jv_copy(value))) {
		jv_free(name);
		jv_free(value);
		return LIMEN_EINVAL;
	}
	out->name = jq_to_text(name);
	out->value = jq_to_text(value);
	if (out->name != NULL && out->value != NULL)
		return LIMEN_OK;
	field_clear(out);
	return LIMEN_ENOMEM;
}

void
fields_add_quoted(buffer *to, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";
	/* RFC 3986 section 2.3; in ASCII whatever the locale. */
	static const char unreserved[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                                 "abcdefghijklmnopqrstuvwxyz-._~";

	while (*text != '\0' && !buffer_failed(to)) {
		size_t plain = strspn(text, unreserved);
		unsigned char c = (unsigned char)text[plain];
		char quoted[3] = { '%', digits[c >> 4], digits[c & 15] };

		buffer_add(to, text, plain);
		text += plain;
		if (c == '\0')
			return;
		buffer_add(to, c == ' ' ? "+" : quoted, c == ' ' ? 1 : sizeof(quoted));
		text++;
	}
}
static int
add_header(const field *item, buffer *out, const char **why)
{
	/* RFC 9110 section 5.6.2. */
	static const char allowed[] = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "abcdefghijklmnopqrstuvwxyz";

	if (item->name[0] == '\0' || strspn(item->name, allowed) != strlen(item->name)) {
		*why = "The name of a header holds characters that it may not hold";
		return LIMEN_EINVAL;
	}
	for (const char *c = item->value; *c != '\0'; c++) {
		if ((*c <= 0 || *c >= ' ' || *c == '\t') && *c != 0x7f)
			continue;
		*why = "The value of a header holds control characters";
		return LIMEN_EINVAL;
	}
	buffer_add(out, item->name, strlen(item->name));
	buffer_add(out, ": ", 2);
	buffer_add(out, item->value, strlen(item->value) + 1);
	return LIMEN_OK;
}

static int
add_parameter(const field *item, buffer *out, const char **why)
{
	(void)why;
	if (out->length > 0)
		buffer_add(out, "&", 1);
	fields_add_quoted(out, item->name);
	buffer_add(out, "=", 1);
	fields_add_quoted(out, item->value);
	return LIMEN_OK;
}

/* Adds the members of 'object' (consumed); null has none. */
static int
write_object(jv object, int (*add)(const field *item, buffer *out, const char **why), buffer *out,
             const char **why)
{
	bool has_members = jv_get_kind(object) == JV_KIND_OBJECT;
	int iter = has_members ? jv_object_iter(object) : 0;
	int result = LIMEN_OK;

	if (!has_members && jv_get_kind(object) != JV_KIND_NULL) {
		*why = "The result is not an object";
		result = LIMEN_EINVAL;
	}
	for (; has_members && result == LIMEN_OK && jv_object_iter_valid(object, iter);
	     iter = jv_object_iter_next(object, iter)) {
		field item;

		result = read_field(object, iter, &item);
		if (result == LIMEN_EINVAL)
			*why = "The text of a member holds a NUL";
		if (result == LIMEN_OK) {
			result = add(&item, out, why);
			field_clear(&item);
		}
	}
	jv_free(object);
	if (result != LIMEN_OK)
		return result;
	if (out->too_long) {
		*why = "The members together are too long";
		return LIMEN_EINVAL;
	}
	return out->no_memory ? LIMEN_ENOMEM : LIMEN_OK;
}

/* Finds the lines again once the text no longer moves. */
static int
split_lines(header_lines *out)
{
	size_t count = 0;

	for (size_t i = 0; i < out->text.length; i++)
		count += out->text.text[i] == '\0';
	out->lines = calloc(count + 1, sizeof(*out->lines));
	if (out->lines == NULL)
		return LIMEN_ENOMEM;
	for (const char *line = out->text.text; out->count < count; line += strlen(line) + 1) {
		out->lines[out->count] = line;
		out->count++;
	}
	return LIMEN_OK;
}

int
fields_make_headers(jv object, header_lines *out, const char **why)
{
	int result;

	*out = (header_lines){ .text = { .max = FIELDS_MAX } };
	result = write_object(object, add_header, &out->text, why);
	if (result == LIMEN_OK)
		result = split_lines(out);
	if (result != LIMEN_OK)
		header_lines_clear(out);
	return result;
}

int
fields_make_query(jv object, buffer *out, const char **why)
{
	int result;

	*out = (buffer){ .max = FIELDS_MAX };
	result = write_object(object, add_parameter, out, why);
	if (result != LIMEN_OK)
		buffer_clear(out);
	return result;
}

void
header_lines_clear(header_lines *of)
{
	free(of->lines);
	buffer_clear(&of->text);
	*of = (header_lines){ .count = 0 };
}

void
fields_extend_url(const char *url, const buffer *query, buffer *out)
{
	size_t length = strcspn(url, "#");
	const char *mark = memchr(url, '?', length);

	if (query->length == 0)
		length = strlen(url);
	buffer_add(out, url, length);
	if (query->length == 0)
		return;
	if (mark == NULL)
		buffer_add(out, "?", 1);
	else if (url[length - 1] != '?' && url[length - 1] != '&')
		buffer_add(out, "&", 1);
	buffer_add(out, query->text, query->length);
}
