/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - the daemon limend.  All of it is in liblimend, which tests link too.
 */
#include "common/tree.h"
#include "daemon/daemon.h"

int
main(int argc, char **argv)
{
	tree_prepare();
	return daemon_main(argc, argv);
}
