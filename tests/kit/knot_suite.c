/* SPDX-License-Identifier: Apache-2.0 */
#include "knot.h"
#include "suite.h"

struct knot *
knot_start(void)
{
	const char *why;
	struct knot *server = knot_open(&why);

	if (server == NULL && why != NULL)
		suite_skip(why);
	else if (server == NULL)
		CU_FAIL("knotd does not start");
	return server;
}
