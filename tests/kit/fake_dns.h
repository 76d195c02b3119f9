/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_dns.h - a name server that answers what a test tells it to, over UDP and
 * TCP: for answers that no honest one gives, and to count what is asked.
 *
 * It runs on a thread of its own, on a free port of 127.0.0.1.
 */
#ifndef LIMEN_TESTS_KIT_FAKE_DNS_H
#define LIMEN_TESTS_KIT_FAKE_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_DNS_A = 1, FAKE_DNS_CNAME = 5, FAKE_DNS_SOA = 6, FAKE_DNS_PTR = 12,
       FAKE_DNS_TXT = 16, FAKE_DNS_AAAA = 28 };

/* A question as it came in. */
struct fake_question {
	char name[256]; /* with dots, small letters, without the final dot */
	unsigned type;
	bool tcp;
	unsigned asked;         /* how many came before it */
	const uint8_t *message;
	size_t length;
	size_t end;             /* of the question section */
};

/*
 * Writes the answer into 'out' and returns its length; 0: none is sent.  Runs on
 * the server's thread.
 */
typedef size_t (*fake_dns_answer)(const struct fake_question *question, uint8_t *out,
                                  size_t room, void *data);

struct fake_dns;

/* NULL: the running test has failed. */
struct fake_dns *fake_dns_start(fake_dns_answer answer, void *data);

/*
 * The same on port 53 of another loopback address, since /etc/resolv.conf knows no
 * other port.  NULL if that is not permitted.
 */
struct fake_dns *fake_dns_start_at_53(fake_dns_answer answer, void *data);

void fake_dns_stop(struct fake_dns *server); /* NULL is fine */

/* "127.0.0.1:PORT"; at port 53 the address alone. */
const char *fake_dns_address(const struct fake_dns *server);

/* How many questions have come in. */
unsigned fake_dns_count(const struct fake_dns *server);

/* A port of 127.0.0.1 that takes what is sent and never answers, until it is closed. */
int fake_dns_blackhole(char address[32]);

/* ---- writing answers ---- */

/* Begins an answer to 'question'; returns its length so far. */
size_t fake_dns_begin(const struct fake_question *question, unsigned rcode, uint8_t *out);

/*
 * Appends a record about 'owner' (NULL: the name asked for) to the answers, or, if
 * 'authority', to that section, and returns the new length.  The caller knows that there is
 * room: 12 bytes and the names and data.
 */
size_t fake_dns_add(uint8_t *out, size_t at, const char *owner, unsigned type, uint32_t ttl,
                    const void *data, size_t size, bool authority);

/* Appends one whose data is a name. */
size_t fake_dns_add_name(uint8_t *out, size_t at, const char *owner, unsigned type, uint32_t ttl,
                         const char *target);

/* Appends a SOA record to the authorities, which says how long to remember that nothing is there. */
size_t fake_dns_add_soa(uint8_t *out, size_t at, uint32_t ttl, uint32_t minimum);

#endif
