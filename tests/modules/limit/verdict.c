/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c - the limit that answers what its data says. */
#include <limen/version.h>

#include "../verdict.h"

LIMEN_LIMIT("verdict",
	.version = LIMEN_VERSION,
	.summary = "Answers what its data says",
	.options = verdict_options,
	.instance_size = sizeof(struct verdict),
	.open = verdict_open,
	.close = verdict_close,
	.check = verdict_give);
