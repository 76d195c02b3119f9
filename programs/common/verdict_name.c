/* SPDX-License-Identifier: Apache-2.0 */
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
