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
 * Starts it and waits until it answers.  NULL if this system has no knotd, in
 * which case the running test is skipped, or if it does not start, in which case
 * it fails.
 */
struct knot *knot_start(void);
void knot_stop(struct knot *server); /* NULL is fine */

/* "127.0.0.1:PORT" */
const char *knot_address(const struct knot *server);

#endif
