/* SPDX-License-Identifier: Apache-2.0 */
/*
 * senders.h - counts what was refused, would have been refused, or failed, by namespace or by
 * requester, in bounded memory: of SENDERS_MAX names; the rest is counted together.  A new name takes the
 * place of the one with the fewest counts, which go to the rest, so that sums stay exact.
 */
#ifndef LIMEND_SENDERS_H
#define LIMEND_SENDERS_H

#include "decision_line.h"

#define SENDERS_MAX 200

typedef struct senders senders;

senders *senders_new(void);
void senders_free(senders *self);

/* Counts a decision that is no admission; the caller has a lock. */
void senders_count(senders *self, const char *name, record_outcome outcome, limen_time now);

/*
 * Appends the rows, worst first, each with its name as the member 'key', and then the rest if there is
 * any.  Nothing if 'part' is to be removed.
 */
void senders_write(const senders *self, const char *key, const line_rules *rules, redaction part,
                   GString *out);

#endif
