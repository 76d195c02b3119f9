/* SPDX-License-Identifier: Apache-2.0 */
/* verdict_name.c - maps a verdict to "pass", "fail", "skip" or "error". */
#include "verdict_name.h"

const char *
verdict_name(limen_verdict verdict)
{
	switch (verdict) {
	case LIMEN_PASS:
		return "pass";
	case LIMEN_FAIL:
		return "fail";
	case LIMEN_SKIP:
		return "skip";
	case LIMEN_ERROR:
		break;
	}
	return "error";
}
