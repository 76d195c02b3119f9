/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lab.h - all the servers that the policy docs/examples/everything speaks to, on
 * free ports of this host: knotd with the zones of the tests, and nginx.
 */
#ifndef LIMEN_TESTS_KIT_LAB_H
#define LIMEN_TESTS_KIT_LAB_H

typedef struct lab lab;

/* Starts them.  NULL: '*why' says what is missing. */
lab *lab_start(const char **why);
void lab_stop(lab *servers); /* NULL is fine */

/*
 * Returns the text of the file at 'path' with 192.0.2.53, lists.example.net and
 * approve.example.net replaced by where they are, to free(); NULL if it cannot be read.
 */
char *lab_policy(const lab *servers, const char *path);

#endif
