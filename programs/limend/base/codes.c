/* SPDX-License-Identifier: Apache-2.0 */
/* codes.c - maps the code of a decision to its index and name in tables of counts. */
#include "codes.h"

const char *const code_names[CODES] = { "200", "403", "422", "429", "500", "other" };

size_t
code_index(int code)
{
	switch (code) {
	case 200:
		return CODE_200;
	case 403:
		return CODE_403;
	case 422:
		return CODE_422;
	case 429:
		return CODE_429;
	case 500:
		return CODE_500;
	default:
		return CODE_OTHER;
	}
}
