/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_fit.h - whether what a decision has is what a test expects of it, where that
 * is not just the same value.
 */
#ifndef LIMEN_PROGRAM_TESTS_FIT_H
#define LIMEN_PROGRAM_TESTS_FIT_H

#include <limen/string_match.h>
#include <limen/value.h>
#include <stdbool.h>

/* Compiles the object 'match', a string match as policies have them; NULL with '*why'. */
limen_string_match *fit_compile(limen_value match, char why[LIMEN_MATCH_WHY_MAX]);

/* Is 'found' the text 'expected', or does it match the object 'expected'? */
bool fit_text(limen_value expected, limen_value found);

/* The same for arrays, one by one. */
bool fit_texts(limen_value expected, limen_value found);

/* If 'expected' is an array: is each of its texts and matches met by a line of 'found'? */
bool fit_lines(limen_value expected, limen_value found);

/* Does 'found' have the members, and the elements from the first on, of 'expected'? */
bool fit_part(limen_value expected, limen_value found);

#endif
