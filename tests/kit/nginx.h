/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nginx.h - the real nginx, with and without TLS, started for one test on free
 * ports of 127.0.0.1.  It ends with the test, however the test ends.
 *
 * It serves, on all its ports (docs/testing.md lists the paths), the files of
 * its directory as /files/NAME, and a few answers of its own.
 */
#ifndef LIMEN_TESTS_KIT_NGINX_H
#define LIMEN_TESTS_KIT_NGINX_H

#include <stdbool.h>

typedef struct nginx nginx;

/* NULL: it is not installed or does not start; 'why' then receives a static text. */
nginx *nginx_start(const char **why);
void nginx_stop(nginx *server);

/* "http://127.0.0.1:PORT", without a final slash. */
const char *nginx_http(const nginx *server);

/* "https://localhost:PORT": the certificate is right if one trusts nginx_ca(). */
const char *nginx_https(const nginx *server);

/* "https://localhost:PORT": the certificate is for another name. */
const char *nginx_https_other(const nginx *server);

/* "https://localhost:PORT": the certificate has expired. */
const char *nginx_https_old(const nginx *server);

/* The file that holds the certificate of the authority, PEM. */
const char *nginx_ca(const nginx *server);

/* The directory of /files/; the test may write there. */
const char *nginx_files(const nginx *server);

/* How many requests there were until now; -1 if that cannot be read. */
long nginx_requests(const nginx *server);

#endif
