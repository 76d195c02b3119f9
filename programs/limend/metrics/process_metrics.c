/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_metrics.c - reads CPU time, memory, threads and file descriptors with getrusage() and
 * from /proc/self, and writes them as Prometheus samples.
 */
#include "process_metrics.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/exposition.h"

/* Reads up to 'size' - 1 bytes of a file and adds a NUL; false if nothing could be read. */
static bool
read_text(const char *path, char *out, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length;

	if (file == NULL)
		return false;
	length = fread(out, 1, size - 1, file);
	fclose(file);
	out[length] = '\0';
	return length > 0;
}

/* Reads the number after the given count of blanks in 'text'. */
static bool
read_field(const char *text, int blanks, double *out)
{
	char *end;
	guint64 number;

	for (; blanks > 0; blanks--) {
		text = strchr(text, ' ');
		if (text == NULL)
			return false;
		text++;
	}
	number = g_ascii_strtoull(text, &end, 10);
	*out = (double)number;
	return end > text;
}

static void
write_memory(GString *out)
{
	double page = (double)sysconf(_SC_PAGESIZE);
	double total;
	double resident;
	char text[256];

	if (!read_text("/proc/self/statm", text, sizeof(text)) || !read_field(text, 0, &total) ||
	    !read_field(text, 1, &resident))
		return;
	exposition_single(out, "process_virtual_memory_bytes", "gauge",
	                  "Virtual memory size in bytes.", total * page);
	exposition_single(out, "process_resident_memory_bytes", "gauge",
	                  "Resident memory size in bytes.", resident * page);
}

static void
write_threads(GString *out)
{
	char text[1024];
	const char *end;
	double threads;

	if (!read_text("/proc/self/stat", text, sizeof(text)))
		return;
	/* The second field (in parentheses) may contain blanks; the thread count is the 20th. */
	end = strrchr(text, ')');
	if (end == NULL || !read_field(end, 18, &threads))
		return;
	exposition_single(out, "process_threads", "gauge", "Number of threads.", threads);
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
	for (struct dirent *one = readdir(folder); one != NULL; one = readdir(folder)) {
		if (one->d_name[0] != '.')
			count++;
	}
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
	write_memory(out);
	write_threads(out);
	write_descriptors(out);
}
