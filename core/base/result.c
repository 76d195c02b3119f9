/* SPDX-License-Identifier: Apache-2.0 */
/* result.c - returns the fixed texts of result codes and the names of module kinds. */
#include <limen/types.h>

const char *
limen_result_text(int result)
{
	switch ((limen_result)result) {
	case LIMEN_OK:
		return "success";
	case LIMEN_EINVAL:
		return "malformed argument";
	case LIMEN_ENOMEM:
		return "out of memory";
	case LIMEN_ECONFIG:
		return "the policy has errors";
	case LIMEN_EMODULE:
		return "a module could not be loaded or opened";
	case LIMEN_EIO:
		return "a file or the system refused";
	case LIMEN_ERANGE:
		return "outside of what can be represented";
	case LIMEN_ENOPOLICY:
		return "the engine holds no policy";
	case LIMEN_ENOENT:
		return "no such thing";
	case LIMEN_EACCES:
		return "the sender may not say this";
	}
	return "unknown result";
}

const char *
limen_kind_name(limen_kind kind)
{
	switch (kind) {
	case LIMEN_KIND_IDENTIFIER:
		return "identifier";
	case LIMEN_KIND_REWRITER:
		return "rewriter";
	case LIMEN_KIND_LIMIT:
		return "limit";
	case LIMEN_KIND_ADMISSION:
		return "admission";
	case LIMEN_KIND_PRIORITIZER:
		return "prioritizer";
	case LIMEN_KIND_STORE:
		return "store";
	}
	return NULL;
}
