/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c - the identifier that answers what its data says. */
#include <limen/version.h>

#include "../verdict.h"

LIMEN_IDENTIFIER("verdict",
	.version = LIMEN_VERSION,
	.summary = "Answers what its data says",
	.options = verdict_options,
	.instance_size = sizeof(struct verdict),
	.open = verdict_open,
	.identify = verdict_give);
