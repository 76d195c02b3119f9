/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - the daemon limend.  All of it is in liblimend, which tests link too.
 */
#include <string.h>

#include "common/tree.h"
#include "daemon/daemon.h"
#include "question/edit_process.h"

int
main(int argc, char **argv)
{
	tree_prepare();
	if (argc == 2 && strcmp(argv[1], EDIT_PROCESS) == 0)
		return edit_process_main();
	return daemon_main(argc, argv);
}
