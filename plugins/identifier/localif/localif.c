/* SPDX-License-Identifier: Apache-2.0 */
/*
 * localif.c - the identifier for requests that come from this very host: from an
 * address one of its interfaces has (limits.rst, "localif").
 */
#include <limen/version.h>

#include "../../support/local_addresses.h"

static int
open_localif(void *self, limen_opening *opening, limen_diag *diag)
{
	return local_addresses_open(self, false, opening, diag);
}

LIMEN_IDENTIFIER("localif",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters that have an address of this host",
	.instance_size = sizeof(local_addresses),
	.open = open_localif,
	.close = local_addresses_close,
	.status = local_addresses_status,
	.identify = local_addresses_identify);
