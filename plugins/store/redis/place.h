/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.h - where a Redis is, and as whom to speak to it.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_PLACE_H
#define LIMEN_PLUGINS_STORE_REDIS_PLACE_H

#include <limen/module.h>

typedef struct place {
	char *path; /* of a Unix socket, or NULL */
	char *host;
	int64_t port;
	int64_t database;
	char *user;     /* NULL: the user "default" */
	char *password; /* NULL: none */
	char shown[300]; /* for people: without the password */
} place;

/*
 * Reads "redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]" or "unix:///PATH".
 * Returns false with the reason, a static text; the caller clears 'out' also then.
 */
bool place_read_url(place *out, const char *url, const char **why);

/* Sets '*text' to a copy of 'length' bytes; false when memory is short. */
bool place_set(char **text, const char *from, size_t length);

/* Writes 'shown'. */
void place_describe(place *where);

/* Forgets everything, the password first of all. */
void place_clear(place *where);

#endif
