/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_fit.h - compares expectations other than plain equality: string matches, lines and
 * parts.
 */
#ifndef LIMEN_PROGRAM_TESTS_FIT_H
#define LIMEN_PROGRAM_TESTS_FIT_H

#include <limen/string_match.h>
#include <limen/value.h>
#include <stdbool.h>

/* Compiles the object 'match', a string match as in policies; returns NULL with '*why'. */
limen_string_match *fit_compile(limen_value match, char why[LIMEN_MATCH_WHY_MAX]);

/* Returns true if 'found' is the text 'expected', or matches the object 'expected'. */
bool fit_text(limen_value expected, limen_value found);

/* Compares two arrays element by element with fit_text(). */
bool fit_texts(limen_value expected, limen_value found);

/* For an array 'expected': returns true if a line of 'found' matches each of its elements. */
bool fit_lines(limen_value expected, limen_value found);

/* Returns true if 'found' has the members of 'expected', and its elements from the first on. */
bool fit_part(limen_value expected, limen_value found);

#endif
