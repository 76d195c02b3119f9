/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redis_server.h - a real redis-server on a Unix socket in a directory of its
 * own.  It dies with the test.
 */
#ifndef LIMEN_TESTS_KIT_REDIS_SERVER_H
#define LIMEN_TESTS_KIT_REDIS_SERVER_H

#include <stdbool.h>

struct redis_server;

/*
 * Makes a server that does not run yet; 'options' are further arguments of
 * redis-server, or NULL.  NULL if this system has none, in which case the
 * running test is skipped.
 */
struct redis_server *redis_server_new(const char *const *options);

/* Starts it and waits until it answers; a failure fails the running test. */
bool redis_server_start(struct redis_server *server);

/* Kills it (SIGKILL) and waits until it is gone. */
void redis_server_kill(struct redis_server *server);

/* Stops it in its tracks (SIGSTOP), and lets it go on. */
void redis_server_stop(const struct redis_server *server);
void redis_server_continue(const struct redis_server *server);

/* Kills it and removes its files.  NULL is fine. */
void redis_server_free(struct redis_server *server);

const char *redis_server_path(const struct redis_server *server);

/* Runs one command and copies the text of a simple answer; fails the test on an error. */
void redis_server_ask(const struct redis_server *server, const char *command, char *out,
                      unsigned size);

#endif
