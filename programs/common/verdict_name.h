/* SPDX-License-Identifier: Apache-2.0 */
/* verdict_name.h - names the verdict of a module. */
#ifndef LIMEN_PROGRAM_VERDICT_NAME_H
#define LIMEN_PROGRAM_VERDICT_NAME_H

#include <glib.h>
#include <limen/types.h>

/* Returns the word used in the trace of a decision object; an unknown verdict is "error". */
static inline const char *
verdict_name(limen_verdict verdict)
{
	static const char *const names[] = { [LIMEN_PASS] = "pass", [LIMEN_FAIL] = "fail",
		                             [LIMEN_SKIP] = "skip", [LIMEN_ERROR] = "error" };

	return names[(size_t)verdict < G_N_ELEMENTS(names) ? verdict : LIMEN_ERROR];
}

#endif
