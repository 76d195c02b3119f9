/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.c - removes parts of a decision from the decision log, or replaces them by keyed hashes
 * (HMAC-SHA-256).
 */
#include "redact.h"

#include <stdio.h>
#include <string.h>

/* Hexadecimal digits of a hash that are shown: 64 bits make collisions of users unlikely. */
#define DIGITS 16

const char *
redact_hash(const line_rules *rules, const char *text, char buffer[REDACT_SHOWN_MAX])
{
	char *digest = g_compute_hmac_for_data(G_CHECKSUM_SHA256, rules->key, sizeof(rules->key),
	                                       (const guchar *)text, strlen(text));

	snprintf(buffer, REDACT_SHOWN_MAX, "hash:%.*s", DIGITS, digest);
	g_free(digest);
	return buffer;
}

const char *
redact_show(const line_rules *rules, redaction part, const char *text,
            char buffer[REDACT_SHOWN_MAX])
{
	if (text == NULL || ((rules->removed | rules->hashed) & part) == 0)
		return text;
	return (rules->removed & part) != 0 ? NULL : redact_hash(rules, text, buffer);
}

bool
redact_any(const line_rules *rules)
{
	return (rules->removed | rules->hashed) != 0;
}
