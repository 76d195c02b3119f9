/* SPDX-License-Identifier: Apache-2.0 */
/* processors.c - reads the affinity mask, and the quota of the cgroup (version 2). */
#include "processors.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Reads "QUOTA PERIOD" of 'path'; "max" is no quota.  Returns 'most' or fewer. */
static unsigned
apply_quota(const char *path, unsigned most)
{
	FILE *file = fopen(path, "re");
	unsigned long quota;
	unsigned long period;
	unsigned long allowed;

	if (file == NULL)
		return most;
	if (fscanf(file, "%lu %lu", &quota, &period) == 2 && period > 0) {
		allowed = (quota + period - 1) / period;
		if (allowed < most)
			most = allowed == 0 ? 1 : (unsigned)allowed;
	}
	fclose(file);
	return most;
}

/* A service has a quota in its own group; a container sees its own group as the root. */
static unsigned
apply_group(unsigned most)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[512];
	char path[600];

	if (file == NULL)
		return most;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, "0::/", 4) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", line + 3);
		most = apply_quota(path, most);
	}
	fclose(file);
	return apply_quota("/sys/fs/cgroup/cpu.max", most);
}

unsigned
processors_count(void)
{
	cpu_set_t allowed;
	int count = 1;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		count = CPU_COUNT(&allowed);
	return apply_group(count < 1 ? 1 : (unsigned)count);
}
