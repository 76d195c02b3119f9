/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jail.c - limits of resources, and a filter of system calls.  With a sanitizer
 * there is neither a limit of addresses nor a filter (sanitized.h).
 */
#include "jail.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "sanitized.h"

#ifdef LIMEN_SECCOMP
#include <seccomp.h>
#endif

/*
 * Addresses for the program, the large stack (stack.c), a message and its values,
 * and twice what the watchdog lets a script use: a string is copied as it grows.
 */
#define ADDRESSES_MAX ((rlim_t)(768u << 20) + 2 * (rlim_t)MEMORY_GROWTH_MAX)

static bool
set_limit(__rlimit_resource_t which, rlim_t most)
{
	const struct rlimit limit = { .rlim_cur = most, .rlim_max = most };
	struct rlimit before;

	/* What is tighter already stays so: raising is for the superuser. */
	if (getrlimit(which, &before) == 0 && before.rlim_max <= most)
		return true;
	return setrlimit(which, &limit) == 0;
}

const char *
jail_limit(void)
{
	/* Another heap for the watchdog's thread would only take addresses. */
	mallopt(M_ARENA_MAX, 1);
	if (chdir("/") != 0 || prctl(PR_SET_DUMPABLE, 0) != 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !set_limit(RLIMIT_CORE, 0) ||
	    !set_limit(RLIMIT_FSIZE, 0) || !set_limit(RLIMIT_NOFILE, 64))
		return "The process for the script cannot be limited";
	if (!SANITIZED && !set_limit(RLIMIT_AS, ADDRESSES_MAX))
		return "The process for the script cannot be limited in memory";
	return NULL;
}

/*
 * With TZ set, the C library reads the zone once, now, and does not look for a
 * change of its file whenever a script asks for a local time.
 */
static void
keep_zone(void)
{
	const char *zone = getenv("TZ");
	char name[256];

	snprintf(name, sizeof(name), "%s", zone == NULL ? ":/etc/localtime" : zone);
	clearenv();
	setenv("TZ", name, 1);
	tzset();
}

#if !SANITIZED && defined(LIMEN_SECCOMP)

/*
 * Everything else fails; what nobody but an intruder would call ends the process.
 * The watchdog's thread may not have got as far yet as to call rseq() and
 * set_robust_list(), by which the C library begins every thread.
 */
static const int allowed[] = {
	SCMP_SYS(brk), SCMP_SYS(clock_gettime), SCMP_SYS(exit), SCMP_SYS(exit_group),
	SCMP_SYS(futex), SCMP_SYS(gettimeofday), SCMP_SYS(madvise), SCMP_SYS(mremap),
	SCMP_SYS(munmap), SCMP_SYS(pread64), SCMP_SYS(restart_syscall), SCMP_SYS(rseq),
	SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_yield),
	SCMP_SYS(set_robust_list), SCMP_SYS(setitimer), SCMP_SYS(sysinfo)
};
static const int deadly[] = {
	SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone),
	SCMP_SYS(clone3), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev), SCMP_SYS(bpf), SCMP_SYS(mount), SCMP_SYS(unshare)
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define NO_CODE SCMP_CMP(2, SCMP_CMP_MASKED_EQ, 4 /* PROT_EXEC */, 0)

/* The one socket it has, and memory that is never code. */
static bool
add_narrow_rules(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp no_code = NO_CODE;
	const struct scmp_arg_cmp own_socket = SCMP_CMP(0, SCMP_CMP_EQ, 0, 0);
	const struct scmp_arg_cmp one_entry = SCMP_CMP(1, SCMP_CMP_EQ, 1, 0);

	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, no_code) == 0 &&
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code) == 0 &&
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(recvfrom), 1, own_socket) == 0 &&
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, own_socket) == 0 &&
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ppoll), 1, one_entry) == 0;
}

static bool
add_rules(scmp_filter_ctx filter)
{
	/* The watchdog's thread is there already. */
	if (seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) != 0)
		return false;
	for (size_t i = 0; i < COUNT(allowed); i++) {
		if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) != 0)
			return false;
	}
	for (size_t i = 0; i < COUNT(deadly); i++) {
		if (seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0) != 0)
			return false;
	}
	return add_narrow_rules(filter);
}

static const char *
filter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	bool is_loaded = filter != NULL && add_rules(filter) && seccomp_load(filter) == 0;

	if (filter != NULL)
		seccomp_release(filter);
	return is_loaded ? NULL : "This system has no seccomp, without which no script runs in a "
	                          "process of its own";
}

#elif defined(LIMEN_SECCOMP)

static const char *
filter_calls(void)
{
	return NULL;
}

#else

static const char *
filter_calls(void)
{
	return "limen was built without seccomp, without which no script runs in a process of "
	       "its own";
}

#endif

const char *
jail_close(void)
{
	keep_zone();
	/* poll(2) refuses to watch more descriptors than a process may have: one. */
	if (!SANITIZED && (!set_limit(RLIMIT_NOFILE, 1) || !set_limit(RLIMIT_NPROC, 0)))
		return "The process for the script cannot be limited";
	return filter_calls();
}

void
jail_alarm(int64_t nanoseconds)
{
	const struct itimerval timer = {
		.it_value = { .tv_sec = (time_t)(nanoseconds / 1000000000),
		              .tv_usec = (suseconds_t)(nanoseconds % 1000000000 / 1000) }
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}
