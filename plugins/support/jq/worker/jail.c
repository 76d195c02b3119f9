/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jail.c - resource limits and seccomp filters.  System calls that are not listed fail with
 * EPERM; calls that only an attacker makes kill the process.
 */
#include "jail.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "shared.h"

#ifdef LIMEN_SECCOMP
#include <linux/seccomp.h>
#include <seccomp.h>
#endif

/* Memory of a template, and the heap of a script in a worker. */
#define TEMPLATE_BYTES ((rlim_t)2 << 30)
#define HEAP_BYTES     ((rlim_t)256 << 20)

/* libjq frees nested values by recursion, 100 bytes a level. */
#define STACK_BYTES ((rlim_t)64 << 20)

/* Seconds of CPU time that a worker asks for beyond a run, so that it need not ask each time. */
#define CPU_SECONDS 60

/* The first argument of getrlimit(), an enumeration in glibc. */
#if defined(__GLIBC__)
typedef __rlimit_resource_t limited;
#else
typedef int limited;
#endif

static bool
set_limit(limited which, rlim_t most)
{
	const struct rlimit limit = { .rlim_cur = most, .rlim_max = most };
	struct rlimit before;

	/* A tighter limit stays: only the superuser may raise it. */
	if (getrlimit(which, &before) == 0 && before.rlim_max <= most)
		return true;
	return setrlimit(which, &limit) == 0;
}

#if !SANITIZED && defined(LIMEN_SECCOMP)

static const int worker_calls[] = {
	SCMP_SYS(brk), SCMP_SYS(clock_gettime), SCMP_SYS(exit), SCMP_SYS(exit_group),
	SCMP_SYS(futex), SCMP_SYS(gettimeofday), SCMP_SYS(madvise), SCMP_SYS(mremap),
	SCMP_SYS(munmap), SCMP_SYS(restart_syscall), SCMP_SYS(rt_sigreturn), SCMP_SYS(sysinfo)
};

/* The template reads modules, forks workers and restricts them further. */
static const int template_calls[] = {
	SCMP_SYS(access), SCMP_SYS(clone), SCMP_SYS(close), SCMP_SYS(dup2), SCMP_SYS(dup3),
	SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(fcntl), SCMP_SYS(fstat),
	SCMP_SYS(getcwd), SCMP_SYS(geteuid), SCMP_SYS(getpid), SCMP_SYS(getrandom),
	SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(lseek), SCMP_SYS(lstat),
	SCMP_SYS(newfstatat), SCMP_SYS(ppoll), SCMP_SYS(prctl), SCMP_SYS(pread64),
	SCMP_SYS(prlimit64), SCMP_SYS(read), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
	SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(rseq), SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask), SCMP_SYS(seccomp), SCMP_SYS(sendmsg), SCMP_SYS(sendto),
	SCMP_SYS(set_robust_list), SCMP_SYS(setrlimit),
	SCMP_SYS(stat), SCMP_SYS(statx)
};

static const int deadly[] = {
	SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(vfork), SCMP_SYS(clone3),
	SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
	SCMP_SYS(bpf), SCMP_SYS(mount), SCMP_SYS(unshare)
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define ARG(number, op, ...) SCMP_CMP(number, op, __VA_ARGS__)

static bool
add_list(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (seccomp_rule_add(filter, action, calls[i], 0) != 0)
			return false;
	return true;
}

static bool
allow_if(scmp_filter_ctx filter, int call, struct scmp_arg_cmp condition)
{
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, condition) == 0;
}

/* Allows the common calls, and memory that is not executable. */
static bool
add_common(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp no_code = ARG(2, SCMP_CMP_MASKED_EQ, 4 /* PROT_EXEC */, 0);

	return add_list(filter, SCMP_ACT_ALLOW, worker_calls, COUNT(worker_calls)) &&
	       add_list(filter, SCMP_ACT_KILL_PROCESS, deadly, COUNT(deadly)) &&
	       allow_if(filter, SCMP_SYS(mmap), no_code) &&
	       allow_if(filter, SCMP_SYS(mprotect), no_code);
}

static bool
add_template(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp open_reads = ARG(1, SCMP_CMP_MASKED_EQ, 3 /* O_ACCMODE */, 0);
	const struct scmp_arg_cmp openat_reads = ARG(2, SCMP_CMP_MASKED_EQ, 3, 0);

	return add_list(filter, SCMP_ACT_ALLOW, template_calls, COUNT(template_calls)) &&
	       allow_if(filter, SCMP_SYS(open), open_reads) &&
	       allow_if(filter, SCMP_SYS(openat), openat_reads);
}

/* Allows the socket of a worker (descriptor 0) and the limit of its own CPU time. */
static bool
add_worker(scmp_filter_ctx filter)
{
	const int none[] = { SCMP_SYS(fork), SCMP_SYS(clone) };

	return add_list(filter, SCMP_ACT_KILL_PROCESS, none, COUNT(none)) &&
	       allow_if(filter, SCMP_SYS(recvfrom), ARG(0, SCMP_CMP_EQ, 0, 0)) &&
	       allow_if(filter, SCMP_SYS(sendto), ARG(0, SCMP_CMP_EQ, 0, 0)) &&
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
	                        ARG(0, SCMP_CMP_EQ, 0, 0), ARG(1, SCMP_CMP_EQ, RLIMIT_CPU, 0)) == 0;
}

bool
jail_has_filter(void)
{
	/* A kernel with filters fails with EFAULT, because it reads one at address 0. */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

static bool
filter_calls(bool (*add)(scmp_filter_ctx filter))
{
	scmp_filter_ctx filter;
	bool is_loaded;

	if (!jail_has_filter())
		return true;
	filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	is_loaded = filter != NULL && add_common(filter) && add(filter) &&
	            seccomp_load(filter) == 0;
	if (filter != NULL)
		seccomp_release(filter);
	return is_loaded;
}

#else

bool
jail_has_filter(void)
{
#ifdef LIMEN_SECCOMP
	return true;
#else
	return false;
#endif
}

#define filter_calls(add) true

#endif

const char *
jail_template(void)
{
	const struct rlimit stack = { .rlim_cur = STACK_BYTES, .rlim_max = STACK_BYTES };

	/* If the stack may not grow, a script that nests deeper ends its worker. */
	setrlimit(RLIMIT_STACK, &stack);
	if (chdir("/") != 0 || prctl(PR_SET_DUMPABLE, 0) != 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !set_limit(RLIMIT_CORE, 0) ||
	    !set_limit(RLIMIT_FSIZE, 0) || !set_limit(RLIMIT_NOFILE, 64))
		return "The process for scripts cannot be limited";
	if (!SANITIZED && !set_limit(RLIMIT_AS, TEMPLATE_BYTES))
		return "The process for scripts cannot be limited in memory";
	return filter_calls(add_template) ? NULL : "The process for scripts cannot be closed";
}

/* With TZ set, the C library does not look for a change of the zone's file at each local time. */
void
jail_forget_environment(void)
{
	const char *zone = getenv("TZ");
	char name[256];

	snprintf(name, sizeof(name), "%s", zone == NULL ? ":/etc/localtime" : zone);
	clearenv();
	setenv("TZ", name, 1);
	tzset();
}

/* Adds heap and stack to the address space in use; if that is unknown, the old limit stays. */
static bool
limit_memory(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;
	bool is_known = file != NULL && fscanf(file, "%lu", &pages) == 1;

	if (file != NULL)
		fclose(file);
	return !is_known || set_limit(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) +
	                                         HEAP_BYTES + STACK_BYTES);
}

/* The time of the first request for CPU time, and the limit requested so far, in seconds. */
static time_t start;
static time_t allowed;

bool
jail_worker(void)
{
	start = 0;
	allowed = 0;
	if (!SANITIZED && (!limit_memory() || !set_limit(RLIMIT_NOFILE, 1) ||
	                   !set_limit(RLIMIT_NPROC, 0)))
		return false;
	return filter_calls(add_worker);
}

void
jail_allow(int64_t timeout)
{
	struct timespec now;
	struct rlimit limit = { .rlim_max = RLIM_INFINITY };
	time_t wanted;

	/* One thread cannot use more CPU time than has passed since the first call. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (start == 0)
		start = now.tv_sec;
	wanted = now.tv_sec - start + (time_t)(timeout / 1000000000) + 2;
	if (wanted <= allowed)
		return;
	allowed = wanted + CPU_SECONDS;
	getrlimit(RLIMIT_CPU, &limit);
	limit.rlim_cur = (rlim_t)allowed;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_CPU, &limit);
}
