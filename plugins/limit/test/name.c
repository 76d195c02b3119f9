/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name.c - makes the readable name of a parameter: splits the key at hyphens and capitalises
 * the words.  Abbreviations of pScheduler's parameters, such as "ip", become all capitals.
 */
#include "name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The abbreviations among the parameters of pScheduler's tests. */
static const char *const abbreviations[] = {
	"as", "dns", "http", "id", "ip", "mtu", "tcp", "tos", "ttl", "udp", "url",
};

static char
to_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool
is_abbreviation(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++) {
		if (strlen(abbreviations[i]) == length &&
		    memcmp(abbreviations[i], word, length) == 0)
			return true;
	}
	return false;
}

static void
capitalise(char *word, size_t length)
{
	size_t count = is_abbreviation(word, length) ? length : 1;

	for (size_t i = 0; i < count && i < length; i++)
		word[i] = to_upper(word[i]);
}

char *
name_new(const char *key, size_t length)
{
	char *name = malloc(length + 1);
	size_t start = 0;

	if (name == NULL)
		return NULL;
	memcpy(name, key, length);
	name[length] = '\0';
	for (size_t i = 0; i <= length; i++) {
		if (i < length && name[i] != '-')
			continue;
		capitalise(name + start, i - start);
		start = i + 1;
		if (i < length)
			name[i] = ' ';
	}
	return name;
}
