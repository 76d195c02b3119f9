/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local-subnet.c - the identifier for requests from the networks the interfaces
 * of this host are in (pScheduler's "local-subnet", which limits.rst lacks).
 */
#include <limen/version.h>

#include "../../support/local_addresses.h"

static int
open_local_subnet(void *self, limen_opening *opening, limen_diag *diag)
{
	return local_addresses_open(self, true, opening, diag);
}

LIMEN_IDENTIFIER("local-subnet",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters in the networks this host is directly connected to",
	.instance_size = sizeof(local_addresses),
	.open = open_local_subnet,
	.close = local_addresses_close,
	.status = local_addresses_status,
	.identify = local_addresses_identify);
