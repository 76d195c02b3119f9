/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_budget.h - a bound on the time of a search with PCRE2.
 *
 * PCRE2's own limits hold for each place of the text at which a match may
 * begin, and count no single characters, so that they bound no search.  This
 * owns what is known of the cost of a pattern, and searches within a budget
 * that is linear in the text.  No clock takes part: the same search has the
 * same answer on each machine.
 */
#ifndef LIMEN_CORE_PATTERN_MATCH_BUDGET_H
#define LIMEN_CORE_PATTERN_MATCH_BUDGET_H

#include <limen/types.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The longest pattern of which PCRE2 keeps the positions of the items. */
#define MATCH_BUDGET_PATTERN_MAX ((size_t)UINT16_MAX)

typedef struct match_cost {
	size_t length;     /* of the pattern */
	uint32_t *items;   /* per byte of a counted pattern: cost of the item there; or NULL */
	uint32_t weight;   /* of each step */
	size_t lookbehind; /* the most characters that an assertion goes back */
	bool anchored;
	bool erratic; /* has items whose cost grows faster than the text */
} match_cost;

/*
 * Finds the cost of 'code', which was compiled from 'length' bytes at
 * 'pattern', if 'counted' with PCRE2_AUTO_CALLOUT.  Returns LIMEN_OK or
 * LIMEN_ENOMEM; either way match_cost_free() frees it.
 */
int match_cost_find(match_cost *cost, const pcre2_code *code, const char *pattern, size_t length,
                    bool counted);
void match_cost_free(match_cost *cost);

/*
 * Are there no more steps at any place of a text than the pattern has bytes?  So it is where
 * nothing is repeated, grouped or chosen; of others false may be said as well.
 */
bool match_cost_is_plain(const char *pattern, size_t length, uint32_t options);

/* Does a plain pattern surely stay within the budget in a text of 'length' bytes? */
bool match_cost_is_small(const match_cost *cost, size_t length);

/*
 * Like pcre2_match(): an error other than PCRE2_ERROR_NOMATCH means that the
 * budget did not suffice, or that something else went wrong.
 */
int match_search(const match_cost *cost, const pcre2_code *code, const char *text, size_t length,
                 pcre2_match_data *found, pcre2_match_context *context);

#endif
