/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_curl.h - stands in for the transfers of libcurl, so that a fuzzer is the server:
 * without sockets, and in no time.  The sources that are fuzzed are told what libcurl
 * 7.88 tells them: the lines of each head, then pieces of a body, then how it ended.
 */
#ifndef LIMEN_TESTS_FUZZ_FAKE_CURL_H
#define LIMEN_TESTS_FUZZ_FAKE_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct fake_answer {
	const char *text; /* heads, each with an empty line at its end, and a body */
	size_t length;
	size_t flood;  /* so many NULs follow, FLOOD_MAX at most */
	CURLcode end;  /* of the transfer, unless somebody ends it before */
} fake_answer;

#define FLOOD_MAX ((size_t)40 << 20)

/* Set by the fuzzer. */
typedef struct fake_server {
	bool (*answer)(const char *url, fake_answer *out); /* false: nothing ever comes */
	size_t (*cut)(size_t left); /* how much of a body comes next, 1 to 'left' */
} fake_server;

extern fake_server fake_curl;

#endif
