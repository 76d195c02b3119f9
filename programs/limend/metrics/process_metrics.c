/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_metrics.c - reads CPU time, memory, threads and file descriptors with getrusage() and
 * from /proc/self, and writes them as Prometheus samples.
 */
#include "observer.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/exposition.h"

/* Writes the number of threads and the memory (proc(5), /proc/PID/stat: fields 20, 23 and 24). */
static void
write_stat(GString *out)
{
	FILE *file = fopen("/proc/self/stat", "re");
	char text[1024] = "";
	long threads;
	unsigned long size;
	long pages;
	const char *end;

	if (file == NULL)
		return;
	(void)!fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	/* The second field is in parentheses and may contain blanks. */
	end = strrchr(text, ')');
	if (end == NULL || sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
	                               "%*d %*d %*d %ld %*d %*u %lu %ld", &threads, &size, &pages) != 3)
		return;
	exposition_single(out, "process_virtual_memory_bytes", "gauge",
	                  "Virtual memory size in bytes.", (double)size);
	exposition_single(out, "process_resident_memory_bytes", "gauge",
	                  "Resident memory size in bytes.",
	                  (double)pages * (double)sysconf(_SC_PAGESIZE));
	exposition_single(out, "process_threads", "gauge", "Number of threads.", (double)threads);
}

static void
write_processor(GString *out)
{
	struct rusage used;
	double seconds;

	if (getrusage(RUSAGE_SELF, &used) != 0)
		return;
	seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
	exposition_single(out, "process_cpu_seconds_total", "counter",
	                  "Total user and system CPU time spent in seconds.", seconds);
}

static void
write_descriptors(GString *out)
{
	DIR *folder = opendir("/proc/self/fd");
	struct rlimit most;
	size_t count = 0;

	if (folder == NULL)
		return;
	for (struct dirent *file = readdir(folder); file != NULL; file = readdir(folder))
		if (file->d_name[0] != '.')
			count++;
	closedir(folder);
	/* The descriptor of the directory itself is not counted. */
	exposition_single(out, "process_open_fds", "gauge", "Number of open file descriptors.",
	                  (double)(count > 0 ? count - 1 : 0));
	if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
		exposition_single(out, "process_max_fds", "gauge",
		                  "Maximum number of open file descriptors.",
		                  (double)most.rlim_cur);
}

void
process_metrics_write(GString *out)
{
	write_processor(out);
	write_stat(out);
	write_descriptors(out);
}
