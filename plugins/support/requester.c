/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requester.c - reads the hint "requester".  The messages are those of
 * Python's ipaddress module, which pScheduler passes on to its operators.
 */
#include <stdlib.h>
#include <string.h>

#include "requester.h"

/* Writes 'byte' as Python's repr() does and returns where the next one goes. */
static char *
quote_byte(char *out, unsigned char byte, char quote)
{
	static const char digits[] = "0123456789abcdef";
	static const char plain[] = "\\\n\r\t";
	static const char letters[] = "\\nrt";
	const char *special = byte == '\0' ? NULL : strchr(plain, byte);

	if (special != NULL || byte == (unsigned char)quote) {
		*out++ = '\\';
		*out++ = special != NULL ? letters[special - plain] : quote;
		return out;
	}
	if (byte >= 0x20 && byte != 0x7f) {
		*out++ = (char)byte;
		return out;
	}
	*out++ = '\\';
	*out++ = 'x';
	*out++ = digits[byte >> 4];
	*out++ = digits[byte & 15];
	return out;
}

/* Returns 'text' as Python's repr() writes it, good until the decision ends, or NULL. */
static const char *
quote(const limen_request *req, const char *text, size_t length)
{
	/* Python's repr() prefers single quotes unless only those would need escaping. */
	char mark = memchr(text, '\'', length) != NULL && memchr(text, '"', length) == NULL ? '"'
	                                                                                    : '\'';
	char *quoted;
	char *out;

	if (length > (SIZE_MAX - 3) / 4)
		return NULL;
	quoted = limen_request_alloc(req, 4 * length + 3);
	if (quoted == NULL)
		return NULL;
	out = quoted;
	*out++ = mark;
	for (size_t i = 0; i < length; i++)
		out = quote_byte(out, (unsigned char)text[i], mark);
	*out++ = mark;
	*out = '\0';
	return quoted;
}

/* The text of 'hint' as Python's str() has it where JSON differs, or NULL. */
static const char *
python_word(limen_value hint)
{
	bool truth;

	if (limen_value_type(hint) == LIMEN_TYPE_NULL)
		return "None";
	if (limen_value_bool(hint, &truth))
		return truth ? "True" : "False";
	return NULL;
}

static void
report_malformed(const limen_request *req, limen_reply *reply)
{
	limen_value hint = limen_value_get(limen_request_hints(req), "requester");
	size_t length = 0;
	const char *text = limen_value_string(hint, &length);
	char *printed = NULL;
	const char *quoted;

	if (text == NULL) {
		text = python_word(hint);
		length = text == NULL ? 0 : strlen(text);
	}
	if (text == NULL) {
		printed = limen_value_to_json(hint, 0, &length);
		text = printed;
	}
	quoted = text == NULL ? NULL : quote(req, text, length);
	limen_reply_reason(reply, "%s does not appear to be an IPv4 or IPv6 network",
	                   quoted == NULL ? "The requester" : quoted);
	free(printed);
}

/* Python names the network it refuses in canonical form, host bits and all. */
static void
report_host_bits(const limen_request *req, limen_reply *reply)
{
	limen_value hint = limen_value_get(limen_request_hints(req), "requester");
	unsigned flags = LIMEN_NETWORK_MASKS | LIMEN_NETWORK_SCOPE | LIMEN_NETWORK_HOST_BITS;
	char printed[LIMEN_NETWORK_TEXT_MAX];
	limen_network network;
	size_t length = 0;
	const char *text = limen_value_string(hint, &length);

	if (text == NULL || limen_network_parse(text, length, flags, &network) != LIMEN_OK ||
	    limen_address_parse(text, strcspn(text, "/%"), &network.address) != LIMEN_OK) {
		limen_reply_reason(reply, "The requester has host bits set");
		return;
	}
	limen_network_print(&network, printed);
	limen_reply_reason(reply, "%s has host bits set", printed);
}

limen_verdict
requester_read(const limen_request *req, limen_reply *reply, limen_network *out)
{
	switch (limen_request_requester(req, out)) {
	case LIMEN_OK:
		return LIMEN_PASS;
	case LIMEN_ENOENT:
		if (limen_reply_wants_bounds(reply))
			limen_reply_note(reply, "hint 'requester' is not given");
		return LIMEN_SKIP;
	case LIMEN_ERANGE:
		report_host_bits(req, reply);
		return LIMEN_ERROR;
	default:
		report_malformed(req, reply);
		return LIMEN_ERROR;
	}
}
