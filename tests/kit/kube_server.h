/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_server.h - an API server that keeps LimitRanges and does what a test tells
 * it (kube_server.py), on a free port of 127.0.0.1.  It dies with the test.
 */
#ifndef LIMEN_TESTS_KIT_KUBE_SERVER_H
#define LIMEN_TESTS_KIT_KUBE_SERVER_H

#include <stdbool.h>

struct kube_server;

/* NULL: the running test has failed, or is skipped as there is no python3. */
struct kube_server *kube_server_start(void);
void kube_server_stop(struct kube_server *server); /* NULL is fine */

/* Ends the server, and starts it again at the same port, without any object. */
void kube_server_end(struct kube_server *server);
bool kube_server_again(struct kube_server *server);

unsigned kube_server_port(const struct kube_server *server);

/* Its files: ca.crt, token, client.crt, client.key; the test may write there. */
const char *kube_server_directory(const struct kube_server *server);

/* Has the command carried out; returns the answer, good until the next one, or NULL. */
const char *kube_server_tell(struct kube_server *server, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
