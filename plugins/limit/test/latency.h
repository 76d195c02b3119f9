/* SPDX-License-Identifier: Apache-2.0 */
/*
 * latency.h - the one parameter that a test has without saying so.
 *
 * A "latency" test sends 'packet-count' packets, one every 'packet-interval'
 * seconds, and has no "duration".  A limit on its duration compares the product of
 * the two, whatever else the test says, and fails if either is missing.
 */
#ifndef LIMEN_TEST_LATENCY_H
#define LIMEN_TEST_LATENCY_H

#include "parameter.h"

/* Lets an opened limit on the duration of a latency test work it out. */
void latency_attach(const char *test, parameter *param);

#endif
