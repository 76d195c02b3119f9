/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_text.h - from the text of a list to its networks.
 *
 * A line holds one network; "#" begins a comment; blanks around the network and empty
 * lines are ignored.  Other lines are skipped, as in pScheduler, but counted.
 */
#ifndef LIMEN_IP_CIDR_LIST_URL_LIST_TEXT_H
#define LIMEN_IP_CIDR_LIST_URL_LIST_TEXT_H

#include <limen/cidr.h>

/* Cap on the networks of a list: it bounds the memory that a server can make limen use. */
#define LIST_TEXT_MAX ((size_t)4 << 20)

typedef struct list_text {
	limen_network *networks;
	size_t count;
	size_t capacity;
	size_t skipped;
	const char *failure; /* static: why there is no list; NULL: none */
} list_text;

/* Adds the lines of 'text'; does nothing after a failure. */
void list_text_add(list_text *list, const char *text, size_t length);

/* Adds one network; does nothing after a failure. */
void list_text_add_network(list_text *list, const limen_network *network);

void list_text_clear(list_text *list);

/* Is 'text' UTF-8 as Python decodes it: shortest forms, no surrogates? */
bool list_text_is_utf8(const char *text, size_t length);

/*
 * ---- loose_network.c: networks as pScheduler's downloaded lists may spell them ----
 *
 * pScheduler hands each line to getaddrinfo() with AI_NUMERICHOST, and what
 * follows a slash to strtol().  That takes "10.1" (10.0.0.1), "0x0a.1", octal
 * "010.0.0.1" (8.0.0.1), "/08", "/+8" and "/ 8"; bits below the prefix are
 * cleared.  Names are never looked up.
 */

/* Reads 'length' bytes at 'text'; returns whether they are a network. */
bool loose_network_parse(const char *text, size_t length, limen_network *out);

#endif
