/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/module.h>

/* One entry of a policy. */
struct cap {
	const limen_path *path;
	int64_t max;
};

void cap_reason(limen_reply *reply, const char *text);
