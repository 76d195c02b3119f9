/* SPDX-License-Identifier: Apache-2.0 */
#include "redact.h"

#include <stdio.h>
#include <string.h>

/* So many digits of the hash tell people apart, and no more. */
#define DIGITS 16
/* In so many places a text is replaced. */
#define PLACES_MAX 64

const char *
redact_show(const line_rules *rules, redaction part, const char *text,
            char buffer[REDACT_SHOWN_MAX])
{
	char *digest;

	if (text == NULL || ((rules->removed | rules->hashed) & part) == 0)
		return text;
	if ((rules->removed & part) != 0)
		return NULL;
	digest = g_compute_hmac_for_data(G_CHECKSUM_SHA256, rules->key, sizeof(rules->key),
	                                 (const guchar *)text, strlen(text));
	snprintf(buffer, REDACT_SHOWN_MAX, "hash:%.*s", DIGITS, digest);
	g_free(digest);
	return buffer;
}

void
redact_within(const line_rules *rules, redaction part, const char *hidden, GString *text)
{
	char buffer[REDACT_SHOWN_MAX];
	const char *shown;

	if (hidden == NULL || hidden[0] == '\0' ||
	    ((rules->removed | rules->hashed) & part) == 0)
		return;
	shown = redact_show(rules, part, hidden, buffer);
	/* A short name in a long text could keep us busy: then all of it is hidden. */
	if (g_string_replace(text, hidden, shown == NULL ? "(hidden)" : shown, PLACES_MAX) ==
	    PLACES_MAX)
		g_string_assign(text, "(hidden)");
}
