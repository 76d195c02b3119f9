/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask_kit.h - asks endpoints of limend about requests without a server: what the
 * transport would pass on, and what it would send back.
 *
 * A program that uses it is linked with ASK_KIT_LDFLAGS: what the daemon records of
 * its decisions is counted here.
 */
#ifndef LIMEN_TESTS_DAEMON_ASK_KIT_H
#define LIMEN_TESTS_DAEMON_ASK_KIT_H

#include <limen/request.h>

#include "endpoint/endpoint.h"

/* Hosts that nobody trusts, the unix socket, and those who are trusted. */
extern const http_peer ask_friend;    /* 192.0.2.1 */
extern const http_peer ask_stranger;  /* 198.51.100.1 */
extern const http_peer ask_friend6;   /* 2001:db8::1 */
extern const http_peer ask_proxy;     /* 203.0.113.5, of --trust-hints-from */
extern const http_peer ask_proxy6;    /* 2001:db8:ffff::5, likewise */
extern const http_peer ask_certified; /* 198.51.100.1 with a certificate */
extern const http_peer ask_server;    /* 192.0.2.1 with a certificate */
extern const http_peer ask_unix;

/*
 * Friends may run idle tests, strangers none.  Of type "few" there is one for all,
 * and the next in an hour and a half; "bad" in the spec is
 * refused, "stretch" rewritten; a requester that is no address cannot be told.
 * Containers have one CPU at most, and there is one event a second.
 */
extern const char ask_policy[];

typedef struct ask_kit {
	service shared;
	limen_cidr_set *trusted;
} ask_kit;

/* Starts an engine with 'policy'; fails the running test and returns false if it cannot. */
bool ask_kit_start(ask_kit *kit, const char *policy);
void ask_kit_stop(ask_kit *kit);

/* A request; what is NULL is as in the plainest one. */
typedef struct ask {
	const char *path; /* NULL: /v1/decide */
	const char *query; /* encoded, without "?" */
	const char *type; /* NULL: application/json; "": none */
	const char *body;
	size_t length;    /* of 'body'; 0: up to its NUL */
	const http_peer *peer; /* NULL: ask_friend */
	bool get;
	int64_t late;     /* nanoseconds since the headers had been read */
} ask;

typedef struct ask_answer {
	http_response response;
	limen_request *holder;
	limen_value json; /* none if the body is not JSON */
} ask_answer;

void ask_send(ask_kit *kit, const ask *sent, ask_answer *out);
void ask_clear(ask_answer *of);

/* Returns the text of the member that the pointer leads to, as JSON to free(); NULL: none. */
char *ask_member(const ask_answer *of, const char *pointer);

/*
 * Sends it, and checks the status and that the answer at 'pointer' is the JSON 'wanted'
 * ("": that there is none).
 */
void ask_check(ask_kit *kit, const char *about, const ask *sent, int status,
               const char *pointer, const char *wanted);

/* How many decisions the daemon has recorded since this was called before. */
unsigned ask_recorded(void);

#endif
