/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spell.h - rates and waits as people write them.
 */
#ifndef LIMEN_PLUGINS_LIMIT_RATE_SPELL_H
#define LIMEN_PLUGINS_LIMIT_RATE_SPELL_H

#include <limen/duration.h>
#include <limen/store.h>

/*
 * Reads "10/PT1H": a number of at least 1, and an ISO 8601 duration above zero
 * or a unit such as s, min, hour or days.  A month and a year have a 'unit' and a period of 0.
 * Returns false for anything else.
 */
bool spell_read_rate(const char *text, int64_t *tokens, limen_duration *period, limen_unit *unit);

#define SPELL_WAIT_MAX 48

/*
 * Writes a wait in its two largest units, rounded up so that a retry is not too
 * early: "5 min 12 s", "2 d".
 */
void spell_wait(limen_duration wait, char out[SPELL_WAIT_MAX]);

#endif
