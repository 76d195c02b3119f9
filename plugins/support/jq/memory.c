/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - reads the resident pages of the process.  libjq allocates with
 * plain malloc(), which does not tell whose a byte is.
 */
#include "memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file = -1;

size_t
memory_used(void)
{
	char line[128];
	const char *resident;
	ssize_t length;

	if (file < 0)
		file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	length = pread(file, line, sizeof(line) - 1, 0);
	if (length <= 0)
		return 0;
	line[length] = '\0';
	resident = strchr(line, ' ');
	if (resident == NULL)
		return 0;
	return (size_t)strtoul(resident, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

void
memory_forget(void)
{
	if (file >= 0)
		close(file);
	file = -1;
}
