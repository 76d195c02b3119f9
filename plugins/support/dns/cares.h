/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cares.h - questions and responses.  Whatever name servers send, reading it ends soon.
 */
#ifndef LIMEN_DNS_CARES_H
#define LIMEN_DNS_CARES_H

/* Its functions for bytes are there in all versions. */
#define CARES_NO_DEPRECATED
#include <ares.h>

#include "answer.h"

enum { TYPE_CNAME = 5, TYPE_SOA = 6 };

/* A record of class IN.  Texts are good as long as the records are. */
typedef struct record {
	const char *owner;
	unsigned type;
	uint32_t lifetime;   /* seconds */
	const char *name;    /* CNAME, PTR: without its final dot */
	const uint8_t *data; /* A, AAAA: the address */
	uint32_t minimum;    /* SOA: the TTL of negative answers */
	const void *strings; /* TXT: for record_string() */
	size_t size;
} record;

/* A response: its answers, then its authorities. */
typedef struct records {
	unsigned rcode;
	const char *question; /* the name asked for */
	record *items;
	size_t answers;
	size_t count;
} records;

/* Returns the string at '*cursor' (first 0) of a TXT record and advances; NULL after the last. */
const uint8_t *record_string(const record *item, size_t *cursor, size_t *length);

/* One question under way. */
typedef struct cares_question {
	dns_type type;
	bool alone; /* there is one name server, so its failure is the answer */
	/* Called once, with the status of c-ares; 'result', owned, is NULL if none came. */
	void (*over)(struct cares_question *question, int status, answer *result);
} cares_question;

/* Asks about 'name'; may call over() at once. */
void cares_ask(ares_channel channel, const char *name, cares_question *out);

/*
 * Reads a response to a question of 'type'.  Returns DNS_FAILED if it is malformed or tells
 * of a failure; NULL when memory is short.
 */
answer *cares_read(dns_type type, const uint8_t *bytes, size_t length);

/* Turns off what c-ares would remember by itself; returns a mask for ares_init_options(). */
int cares_forget(struct ares_options *options);

bool cares_has_one_server(ares_channel channel);

#endif
