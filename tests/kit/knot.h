/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knot.h - a real name server (knotd) with the zones of tests/plugins/zones, on a
 * free port of 127.0.0.1.
 *
 * It has its files in a directory of its own and dies with the test.
 */
#ifndef LIMEN_TESTS_KIT_KNOT_H
#define LIMEN_TESTS_KIT_KNOT_H

struct knot;

/*
 * Starts it and waits until it answers.  NULL if there is none: '*why' says that
 * this system has no knotd, or is NULL if knotd does not start.
 */
struct knot *knot_open(const char **why);

/* The same for the running test, which is skipped or fails without it. */
struct knot *knot_start(void);
void knot_stop(struct knot *server); /* NULL is fine */

/* "127.0.0.1:PORT" */
const char *knot_address(const struct knot *server);

#endif
