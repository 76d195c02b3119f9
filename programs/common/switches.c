/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches.c - reads the switches of a question for limend, "limen check --batch" and logs.
 */
#include "switches.h"

#include "claims.h"
#include "print.h"

static bool
read_bool(limen_value members, const char *key, bool *out, char **why)
{
	limen_value member = claims_member(members, key);

	if (!limen_value_exists(member) || limen_value_bool(member, out))
		return true;
	*why = print_text("'%s' must be true or false", key);
	return false;
}

static bool
read_switch(limen_value members, const char *key, limen_switch *out, char **why)
{
	bool on = false;

	if (!read_bool(members, key, &on, why))
		return false;
	if (limen_value_exists(claims_member(members, key)))
		*out = on ? LIMEN_SWITCH_ON : LIMEN_SWITCH_OFF;
	return true;
}

bool
switches_read(limen_value members, switches *out, char **why)
{
	limen_switch run = LIMEN_SWITCH_AUTO;

	if (!read_switch(members, "run", &run, why))
		return false;
	/* "run" is short for the two switches that a host sets for a run or a task. */
	if (run != LIMEN_SWITCH_AUTO) {
		out->rewrite = run == LIMEN_SWITCH_ON ? LIMEN_SWITCH_OFF : LIMEN_SWITCH_ON;
		out->prioritize = run;
	}
	return read_switch(members, "rewrite", &out->rewrite, why) &&
	       read_switch(members, "prioritize", &out->prioritize, why) &&
	       read_bool(members, "diagnostics", &out->diagnostics, why) &&
	       read_bool(members, "explain", &out->explain, why) &&
	       read_bool(members, "dry_run", &out->dry_run, why) &&
	       read_bool(members, "dryRun", &out->dry_run, why);
}
