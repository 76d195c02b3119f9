/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - how names and the texts of records are written. */
#include "text.h"

#include <string.h>

#define LABEL_MAX 63

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool
text_same_name(const char *a, const char *b)
{
	while (*a != '\0' && lower(*a) == lower(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

/* ---- TXT records ---- */

/* Writes 'byte' as dnspython displays it and returns where the next one goes. */
static char *
display_byte(char *out, uint8_t byte)
{
	if (byte == '"' || byte == '\\') {
		*out++ = '\\';
		*out++ = (char)byte;
		return out;
	}
	if (byte >= 0x20 && byte < 0x7f) {
		*out++ = (char)byte;
		return out;
	}
	*out++ = '\\';
	*out++ = (char)('0' + byte / 100);
	*out++ = (char)('0' + byte / 10 % 10);
	*out++ = (char)('0' + byte % 10);
	return out;
}

size_t
text_size(const record *item)
{
	size_t size = 1;
	size_t cursor = 0;
	size_t length;

	/* Two quotes and a blank, and at most four characters for each byte. */
	while (record_string(item, &cursor, &length) != NULL)
		size += 3 + 4 * length;
	return size;
}

void
text_display(const record *item, char *out)
{
	const uint8_t *text;
	size_t cursor = 0;
	size_t length;
	char *begin = out;

	while ((text = record_string(item, &cursor, &length)) != NULL) {
		if (out > begin)
			*out++ = ' ';
		*out++ = '"';
		for (size_t k = 0; k < length; k++)
			out = display_byte(out, text[k]);
		*out++ = '"';
	}
	*out = '\0';
}

/* ---- names of hosts ---- */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns true if inet_aton() reads the label as a number of an address: "1", "017", "0x7f". */
static bool
is_number(const char *label, size_t length)
{
	static const char hex[] = "0123456789abcdefABCDEF";

	if (length >= 2 && label[0] == '0' && lower(label[1]) == 'x')
		return strspn(label + 2, hex) >= length - 2;
	for (size_t i = 0; i < length; i++)
		if (!is_digit(label[i]))
			return false;
	return true;
}

static bool
is_name_byte(char c)
{
	return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_';
}

bool
dns_is_host_name(const char *name, size_t length)
{
	size_t label = 0; /* where it begins */

	if (length > 0 && name[length - 1] == '.')
		length--;
	if (length == 0 || length > DNS_NAME_MAX - 3)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (name[i] != '.') {
			if (!is_name_byte(name[i]) || i - label >= LABEL_MAX)
				return false;
			continue;
		}
		if (i == label)
			return false;
		label = i + 1;
	}
	return label < length && !is_number(name + label, length - label);
}

/* ---- names of addresses ---- */

static char *
write_octets(char *out, const uint8_t *bytes)
{
	for (size_t i = 4; i-- > 0;) {
		unsigned value = bytes[i];

		if (value >= 100)
			*out++ = (char)('0' + value / 100);
		if (value >= 10)
			*out++ = (char)('0' + value / 10 % 10);
		*out++ = (char)('0' + value % 10);
		*out++ = '.';
	}
	return out;
}

static char *
write_nibbles(char *out, const uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 16; i-- > 0;) {
		*out++ = digits[bytes[i] & 15];
		*out++ = '.';
		*out++ = digits[bytes[i] >> 4];
		*out++ = '.';
	}
	return out;
}

void
dns_reverse_name(const limen_address *address, const char *zone, char out[DNS_NAME_MAX])
{
	char *end = address->family == 4 ? write_octets(out, address->bytes)
	                                 : write_nibbles(out, address->bytes);

	memccpy(end, zone, '\0', DNS_NAME_MAX - (size_t)(end - out));
	out[DNS_NAME_MAX - 1] = '\0';
}

limen_address
dns_unmap(const limen_address *address)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	limen_address plain = { .family = 4 };

	if (address->family != 6 || memcmp(address->bytes, mapped, sizeof(mapped)) != 0)
		return *address;
	memcpy(plain.bytes, address->bytes + sizeof(mapped), 4);
	return plain;
}
