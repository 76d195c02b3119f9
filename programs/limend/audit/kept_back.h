/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_back.h - members of a line of the decision log that hold the reasons kept from requesters
 * (--messages=short).
 */
#ifndef LIMEND_KEPT_BACK_H
#define LIMEND_KEPT_BACK_H

#include "decision_line.h"

/* Once "kept_back" has more bytes than this, nothing more is added to it. */
#define KEPT_BACK_MAX ((size_t)64 << 10)

/* The longest text of diagnostics, in bytes. */
#define KEPT_BACK_ACCOUNT_MAX ((size_t)16 << 10)

/*
 * Appends the members "id", which the requester was told too, "identifiers" and "kept_back".
 * Empty ones are left out, and "kept_back" also if anything is redacted.
 */
void kept_back_write(GString *out, const line_rules *rules, const record *made);

#endif
