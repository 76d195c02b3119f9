/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rate_fields.c - writes the fields of draft-ietf-httpapi-ratelimit-headers, which are lists of
 * strings with parameters (RFC 9651), or the older fields, which are numbers.
 */
#include "rate_fields.h"

#include <string.h>

#include "../common/print.h"

/* The largest integer of RFC 9651, 3.3.1. */
#define INTEGER_MAX INT64_C(999999999999999)

/* RFC 9651, 3.3.3: a string is printable ASCII.  Other bytes are written as %XX. */
static void
append_name(GString *out, const char *name)
{
	g_string_append_c(out, '"');
	for (; *name != '\0'; name++) {
		if (!g_ascii_isprint(*name)) {
			print_append(out, "%%%02X", (unsigned)(unsigned char)*name);
			continue;
		}
		if (*name == '"' || *name == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *name);
	}
	g_string_append_c(out, '"');
}

/* Every pass has such numbers, and a format would take longer than all the rest of a field. */
static void
append_number(GString *out, char key, int64_t number)
{
	char text[24];
	char *at = text + sizeof(text);

	number = CLAMP(number, 0, INTEGER_MAX);
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	*--at = '=';
	*--at = key;
	*--at = ';';
	print_bytes(out, at, (size_t)(text + sizeof(text) - at));
}

/* Windows that are not a number of seconds, such as months, have no "w". */
static void
append_policy(GString *out, const limen_quota *rate)
{
	append_number(out, 'q', rate->quota);
	if (rate->window > 0)
		append_number(out, 'w', rate->window);
}

/* The time is that until there is more, if more can come. */
static void
append_left(GString *out, const limen_quota *rate)
{
	append_number(out, 'r', rate->remaining);
	if (rate->remaining < rate->quota)
		append_number(out, 't', rate->reset);
}

/* Adds a list of all rates, with the parameters that 'append' writes. */
static void
add_list(const char *name, void (*append)(GString *, const limen_quota *),
         const limen_quota *const *quotas, size_t count, http_response *response)
{
	GString *out = http_begin_field(response, name);

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			g_string_append(out, ", ");
		append_name(out, quotas[i]->name);
		append(out, quotas[i]);
	}
	http_end_field(response);
}

static void
add_legacy(const limen_quota *quota, bool prefixed, http_response *response)
{
	static const char *const names[] = { "X-RateLimit-Limit", "X-RateLimit-Remaining",
		                             "X-RateLimit-Reset" };
	const int64_t numbers[] = { quota->quota, quota->remaining, quota->reset };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		char text[24];

		g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT, numbers[i]);
		http_add_field(response, names[i] + (prefixed ? 0 : strlen("X-")), text);
	}
}

void
rate_fields_add(limen_http_fields style, const limen_quota *const *quotas, size_t count,
                http_response *response)
{
	if (count == 0 || style == LIMEN_HTTP_FIELDS_NONE)
		return;
	if (style != LIMEN_HTTP_FIELDS_DRAFT) {
		add_legacy(quotas[0], style == LIMEN_HTTP_FIELDS_X_LEGACY, response);
		return;
	}
	add_list("RateLimit-Policy", append_policy, quotas, count, response);
	add_list("RateLimit", append_left, quotas, count, response);
}
