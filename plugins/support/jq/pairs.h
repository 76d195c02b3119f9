/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairs.h - what jq does that holds each part of one value against each of another.
 * None of it can be stopped in the middle, so it is counted first, to a bound.
 */
#ifndef LIMEN_SUPPORT_JQ_PAIRS_H
#define LIMEN_SUPPORT_JQ_PAIRS_H

#include <jv.h>
#include <stdbool.h>

/*
 * May each element of the array 'a' be compared with each of 'b'?  'b' may be a number,
 * that of elements.  Elements that have parts or long texts count more.  Neither is
 * consumed.
 */
bool pairs_may_compare(jv a, jv b);

/* May jq find out whether 'a' contains 'b'?  Neither is consumed. */
bool pairs_may_contain(jv a, jv b);

#endif
