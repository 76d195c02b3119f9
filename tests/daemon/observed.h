/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observed.h - a daemon without a transport, and decisions it is told of: what the
 * tests of counting and logging share.
 */
#ifndef LIMEN_TESTS_DAEMON_OBSERVED_H
#define LIMEN_TESTS_DAEMON_OBSERVED_H

#include <limen/limen.h>

#include "endpoint/endpoint.h"

/*
 * A policy with an admission entry "events" that allows each user two events and no
 * more, a limit "closed" that fails for tasks of requester 192.0.2.9, and a list
 * of networks that names its entries.
 */
extern const char observed_policy[];

/* Fills 'shared' with an engine that has 'policy' in force (NULL: none), and metrics that know it. */
void observed_start(service *shared, const char *policy, size_t top);
void observed_stop(service *shared);

/* A request to store an event for 'user'; the caller frees it. */
limen_request *observed_event(const char *user);

/* A task from 'requester'. */
limen_request *observed_task(const char *requester);

/* Decides 'req' as the endpoint 'from' would, records it with 'nanoseconds', and returns the code. */
int observed_decide(service *shared, const char *from, limen_request *req,
                    int64_t nanoseconds);

/* Answers GET of 'path' with one argument (NULL: none); free with g_string_free(). */
GString *observed_get(service *shared, const char *path, const char *argument, int *status);

/* The content of a file, to g_free(). */
char *observed_read(const char *path);

/* Makes a directory for this test; its name is to be g_free()d. */
char *observed_directory(void);

#endif
