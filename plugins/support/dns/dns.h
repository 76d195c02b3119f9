/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dns.h - DNS lookups for all modules that need them.  It is a shared library, so that
 * the process has one cache and not one in each module.
 *
 * A resolver stands for a set of name servers.  All instances that name the same servers
 * share one, with its cache.  An answer, also a negative one, is kept for its TTL, between
 * 5 seconds and an hour; a failure for 5 seconds.  A query in flight is shared, not sent
 * twice.  One thread a resolver has all queries, so that thousands may be in flight.  The cache
 * is bounded in answers and in bytes, and evicts the least recently used.
 *
 * Names are absolute: no search list, no aliases, no /etc/hosts.  All functions
 * may be called from any thread, on the same resolver too.
 */
#ifndef LIMEN_PLUGINS_DNS_H
#define LIMEN_PLUGINS_DNS_H

#include <limen/builder.h>
#include <limen/cidr.h>
#include <limen/diag.h>
#include <limen/host.h>
#include <limen/reply.h>
#include <limen/request.h>

#define DNS_API __attribute__((visibility("default")))

/* The longest name, written out, and its final NUL (RFC 1035 section 3.1). */
#define DNS_NAME_MAX 256

typedef struct dns_resolver dns_resolver;

/* Record types, with their numbers in the protocol. */
typedef enum dns_type {
	DNS_A = 1,
	DNS_PTR = 12,
	DNS_TXT = 16,
	DNS_AAAA = 28
} dns_type;

typedef enum dns_outcome {
	DNS_FAILED = 0, /* no usable answer */
	DNS_FOUND = 1,
	DNS_NO_NAME = 2, /* the name does not exist */
	DNS_NO_DATA = 3, /* it exists, but has nothing of this type */
	DNS_SHORT = 4    /* not asked, for a reason of this process: no word about the name servers */
} dns_outcome;

/* An answer never changes.  Aliases (CNAME) have been followed. */
typedef struct dns_answer {
	dns_outcome outcome;
	const char *why; /* DNS_FAILED, DNS_SHORT: what went wrong, a static text; else NULL */
	/* DNS_A, DNS_AAAA: all addresses, in the order received. */
	const limen_address *addresses;
	size_t count;
	/*
	 * DNS_PTR: the first name, without its final dot.  DNS_TXT: the first
	 * record as name servers' tools display it: strings in double quotes,
	 * separated by a blank, odd bytes as \DDD.  ASCII; else "".
	 */
	const char *text;
} dns_answer;

/*
 * Opens the resolver for 'server', one or several addresses separated by
 * commas, each with or without a port ("192.0.2.53", "192.0.2.53:5353",
 * "[2001:db8::53]:5353"), asked in this order; NULL: those of /etc/resolv.conf,
 * which is read again when it changes.  Returns LIMEN_OK; LIMEN_ECONFIG or
 * LIMEN_ENOMEM with a problem about 'where' in 'diag'.
 */
DNS_API int dns_open(const char *server, limen_value where, limen_diag *diag, dns_resolver **out);

/* As dns_open() without servers, but reads 'path' instead of /etc/resolv.conf. */
DNS_API int dns_open_file(const char *path, dns_resolver **out);

/* Ends one use of 'resolver'.  NULL is fine. */
DNS_API void dns_close(dns_resolver *resolver);

/*
 * Returns the answer about 'name', to be ended with dns_release(), and waits for it until
 * limen_host_monotonic() reaches 'deadline', when it is DNS_FAILED.
 */
DNS_API const dns_answer *dns_find(dns_resolver *resolver, dns_type type, const char *name,
                                   limen_deadline deadline);

/*
 * The same for an identifier, for 'timeout' at most: limen_request_patience().  Unless it 'blocks',
 * NULL means that a query is under way, whose end calls limen_request_waker().
 */
DNS_API const dns_answer *dns_look(dns_resolver *resolver, dns_type type, const char *name,
                                   const limen_request *req, limen_duration timeout, bool blocks);

/* NULL is fine. */
DNS_API void dns_release(const dns_answer *answer);

/* Reports what the resolver did so far, for the status of an instance. */
DNS_API void dns_report(const dns_resolver *resolver, limen_builder *build);

/* ---- what the modules have in common ---- */

/*
 * Returns true for a valid host name: letters, digits, hyphens, underscores and dots,
 * no label empty or above 63 bytes, and the last label no number, since that would be an
 * address in another spelling (RFC 1123 section 2.1).  One final dot is allowed.
 */
DNS_API bool dns_is_host_name(const char *name, size_t length);

/*
 * Writes the name under which 'zone' keeps what it knows about 'address': its
 * numbers (IPv4) or its nibbles (IPv6) backwards (RFC 1035 section 3.5, RFC 3596
 * section 2.5).  'zone' has at most 128 bytes.
 */
DNS_API void dns_reverse_name(const limen_address *address, const char *zone,
                              char out[DNS_NAME_MAX]);

/* An IPv4-mapped IPv6 address becomes the IPv4 address it stands for. */
DNS_API limen_address dns_unmap(const limen_address *address);

/*
 * Reads the address in the hint "requester".  Returns LIMEN_PASS, LIMEN_SKIP
 * without the hint, or LIMEN_ERROR with a reason if it is no single address.
 */
DNS_API limen_verdict dns_requester(const limen_request *req, limen_reply *reply,
                                    limen_address *out);

/* Returns when a check that waits gives up: 'timeout' from now, or the end of the decision. */
DNS_API limen_deadline dns_deadline(const limen_request *req, limen_duration timeout);

/*
 * Warns of a 'timeout', that of the entry, which cannot come to its end, because identifiers
 * have half of "timeout" in the "settings".  LIMEN_OK or LIMEN_ENOMEM.
 */
DNS_API int dns_check_timeout(limen_opening *opening, limen_duration timeout, limen_diag *diag);

/*
 * Defines both ways of asking an identifier, identify() and identify_now(), by
 * one function, to which they differ in 'blocks' alone:
 *
 *	bool judge(const void *self, const limen_request *req, limen_reply *reply, bool blocks,
 *	           limen_verdict *verdict);
 *
 * It returns false if dns_look() has started a query.
 */
#define DNS_IDENTIFY(judge)                                                              \
	static limen_verdict identify(const void *self, const limen_request *req,        \
	                              limen_reply *reply)                                \
	{                                                                                \
		limen_verdict verdict = LIMEN_ERROR;                                     \
                                                                                         \
		judge(self, req, reply, true, &verdict);                                 \
		return verdict;                                                          \
	}                                                                                \
                                                                                         \
	static bool identify_now(const void *self, const limen_request *req,             \
	                         limen_reply *reply, limen_verdict *verdict)             \
	{                                                                                \
		return judge(self, req, reply, false, verdict);                          \
	}

#endif
