/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uri_path.c - normalizes paths of URIs as RFC 3986 has it, and finds those that servers read in
 * different ways.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "scalar.h"

static bool
is_control(unsigned char byte)
{
	return byte < 0x20 || byte == 0x7f;
}

bool
uri_path_is_special(const char *path, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)path[i];

		if (byte == '%' || byte == '#' || byte == '\\' || byte >= 0x80 || is_control(byte))
			return true;
		if (i > 0 && path[i - 1] == '/' && (byte == '/' || byte == '.'))
			return true;
	}
	return false;
}

/* Stores the byte that the escape at 'text' means; false if it is no escape, or one to refuse. */
static bool
read_escape(const char *text, size_t length, unsigned char *out)
{
	unsigned high = length < 3 ? 16 : ascii_hex_value(text[1]);
	unsigned low = length < 3 ? 16 : ascii_hex_value(text[2]);

	if (high > 15 || low > 15)
		return false;
	*out = (unsigned char)(high << 4 | low);
	return !is_control(*out) && *out != '/' && *out != '\\';
}

static bool
is_unreserved(unsigned char byte)
{
	return ascii_is_digit((char)byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
	       (byte != '\0' && strchr("-._~", byte) != NULL);
}

/* Decodes unreserved characters and those beyond ASCII; returns the new length, or 0. */
static size_t
decode(const char *path, size_t length, char *out)
{
	static const char digits[] = "0123456789ABCDEF";
	char *end = out;

	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)path[i];
		bool escaped = byte == '%';

		if (byte == '#' || byte == '\\' || is_control(byte))
			return 0;
		if (escaped && !read_escape(path + i, length - i, &byte))
			return 0;
		i += escaped ? 2 : 0;
		if (!escaped || byte >= 0x80 || is_unreserved(byte)) {
			*end++ = (char)byte;
			continue;
		}
		*end++ = '%';
		*end++ = digits[byte >> 4];
		*end++ = digits[byte & 15];
	}
	length = (size_t)(end - out);
	return utf8_valid(out, length) == length ? length : 0;
}

static bool
is_dots(const char *segment, size_t size, size_t dots)
{
	return size == dots && memcmp(segment, "..", dots) == 0;
}

/* Removes dot segments and empty ones of 'path' in place; 0: it leads above the root. */
static size_t
remove_segments(char *path, size_t length)
{
	size_t used = 0;
	size_t end;

	for (size_t start = 1; start <= length; start = end + 1) {
		const char *slash = memchr(path + start, '/', length - start);
		bool is_last = slash == NULL;
		size_t size;
		bool is_up, is_name;

		end = is_last ? length : (size_t)(slash - path);
		size = end - start;
		is_up = is_dots(path + start, size, 2);
		is_name = !is_up && size > 0 && !is_dots(path + start, size, 1);
		if (is_up && used == 0)
			return 0;
		while (is_up && path[--used] != '/')
			;
		if (is_name) {
			path[used] = '/';
			memmove(path + used + 1, path + start, size);
			used += size + 1;
		} else if (is_last) {
			/* A path that ends with a slash or a dot segment names a folder. */
			path[used++] = '/';
		}
	}
	return used;
}

size_t
uri_path_normalize(const char *path, size_t length, char *out)
{
	size_t size = decode(path, length, out);

	return size == 0 || out[0] != '/' ? 0 : remove_segments(out, size);
}
