/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confine RULES PROGRAM ARGUMENT... - runs a program with what systemd would forbid it.
 * RULES is a file that units.py makes of a unit: lines of a word and what belongs to it.
 * The filters are those of systemd (src/shared/seccomp-util.c), one for each directive.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linux 6.3; older headers lack them. */
#define SET_MDWE         65
#define REFUSE_EXEC_GAIN 1UL

#define FAMILIES_MAX 46 /* AF_MCTP is 45; what is above is denied by comparison */

typedef struct confinement {
	scmp_filter_ctx calls;
	uint32_t refusal;
	bool families[FAMILIES_MAX];
} confinement;

static void
fail(const char *what)
{
	fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
	exit(99);
}

static void
check(int result, const char *what)
{
	if (result == 0)
		return;
	errno = result < 0 ? -result : result;
	fail(what);
}

static scmp_filter_ctx
new_filter(uint32_t otherwise)
{
	scmp_filter_ctx filter = seccomp_init(otherwise);

	if (filter == NULL)
		fail("seccomp_init");
	return filter;
}

static void
load(scmp_filter_ctx filter, const char *what)
{
	check(seccomp_load(filter), what);
	seccomp_release(filter);
}

static void
refuse(scmp_filter_ctx filter, int error, int call, struct scmp_arg_cmp argument)
{
	check(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((uint32_t)error), call, 1, &argument),
	      "a rule");
}

static void
refuse_flags(scmp_filter_ctx filter, int call, unsigned argument, uint64_t flags)
{
	refuse(filter, EPERM, call, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, flags, flags));
}

/* MemoryDenyWriteExecute=: no memory that is written and run, and none that becomes code. */
static void
deny_code(void)
{
	scmp_filter_ctx filter = new_filter(SCMP_ACT_ALLOW);

	refuse_flags(filter, SCMP_SYS(mmap), 2, PROT_EXEC | PROT_WRITE);
	refuse_flags(filter, SCMP_SYS(mprotect), 2, PROT_EXEC);
	refuse_flags(filter, SCMP_SYS(pkey_mprotect), 2, PROT_EXEC);
	refuse_flags(filter, SCMP_SYS(shmat), 2, SHM_EXEC);
	load(filter, "MemoryDenyWriteExecute");
	/* What later versions of systemd do instead. */
	if (prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0UL, 0UL, 0UL) != 0 && errno != EINVAL)
		fail("PR_SET_MDWE");
}

/* RestrictNamespaces=; the flags of clone3() are in memory, which no filter sees. */
static void
deny_namespaces(void)
{
	static const uint64_t flags[] = { CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
		                          CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET };
	scmp_filter_ctx filter = new_filter(SCMP_ACT_ALLOW);

	check(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0), "clone3");
	check(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setns), 0), "setns");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		refuse_flags(filter, SCMP_SYS(clone), 0, flags[i]);
		refuse_flags(filter, SCMP_SYS(unshare), 0, flags[i]);
	}
	load(filter, "RestrictNamespaces");
}

/* RestrictSUIDSGID= */
static void
deny_setuid_files(void)
{
	static const uint64_t modes[] = { S_ISUID, S_ISGID };
	scmp_filter_ctx filter = new_filter(SCMP_ACT_ALLOW);

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		refuse_flags(filter, SCMP_SYS(chmod), 1, modes[i]);
		refuse_flags(filter, SCMP_SYS(fchmod), 1, modes[i]);
		refuse_flags(filter, SCMP_SYS(fchmodat), 2, modes[i]);
		refuse_flags(filter, SCMP_SYS(mkdir), 1, modes[i]);
		refuse_flags(filter, SCMP_SYS(mkdirat), 2, modes[i]);
	}
	check(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0), "openat2");
	load(filter, "RestrictSUIDSGID");
}

/* LockPersonality= */
static void
lock_personality(void)
{
	scmp_filter_ctx filter = new_filter(SCMP_ACT_ALLOW);

	refuse(filter, EPERM, SCMP_SYS(personality), SCMP_CMP(0, SCMP_CMP_NE, 0, 0));
	load(filter, "LockPersonality");
}

/* RestrictAddressFamilies= */
static void
deny_families(const confinement *self)
{
	scmp_filter_ctx filter = new_filter(SCMP_ACT_ALLOW);

	refuse(filter, EAFNOSUPPORT, SCMP_SYS(socket), SCMP_CMP(0, SCMP_CMP_GE, FAMILIES_MAX, 0));
	for (unsigned i = 0; i < FAMILIES_MAX; i++) {
		if (!self->families[i])
			refuse(filter, EAFNOSUPPORT, SCMP_SYS(socket), SCMP_CMP(0, SCMP_CMP_EQ, i, 0));
	}
	load(filter, "RestrictAddressFamilies");
}

/* CapabilityBoundingSet= without any: root's program then has none.  Others have none already. */
static void
drop_capabilities(void)
{
	for (unsigned long i = 0; prctl(PR_CAPBSET_READ, i, 0UL, 0UL, 0UL) >= 0; i++) {
		if (prctl(PR_CAPBSET_DROP, i, 0UL, 0UL, 0UL) != 0 && geteuid() == 0)
			fail("PR_CAPBSET_DROP");
	}
}

static void
limit_files(rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		fail("getrlimit");
	if (most < limit.rlim_max || limit.rlim_max == RLIM_INFINITY)
		limit.rlim_max = most;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		fail("LimitNOFILE");
}

/* Without a rule a call is one that systemd did not know: that is no refusal, but ENOSYS. */
static void
add_call(confinement *self, const char *name, uint32_t action)
{
	int call = seccomp_syscall_resolve_name(name);

	/* Of another architecture, or newer than libseccomp. */
	if (call < 0)
		return;
	check(seccomp_rule_add(self->calls, action, call, 0), name);
}

static void
take_flag(const char *name)
{
	if (strcmp(name, "memory") == 0)
		deny_code();
	else if (strcmp(name, "namespaces") == 0)
		deny_namespaces();
	else if (strcmp(name, "setuid") == 0)
		deny_setuid_files();
	else if (strcmp(name, "personality") == 0)
		lock_personality();
	else if (strcmp(name, "capabilities") == 0)
		drop_capabilities();
	else if (strcmp(name, "privileges") == 0)
		check(prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL), "NoNewPrivileges");
	else
		check(EINVAL, name);
}

static void
take_rule(confinement *self, const char *word, const char *value)
{
	unsigned long number = strtoul(value, NULL, 0);

	if (strcmp(word, "refusal") == 0)
		self->refusal = number == 0 ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO((uint32_t)number);
	else if (strcmp(word, "allow") == 0)
		add_call(self, value, SCMP_ACT_ALLOW);
	else if (strcmp(word, "refuse") == 0)
		add_call(self, value, self->refusal);
	else if (strcmp(word, "family") == 0 && number < FAMILIES_MAX)
		self->families[number] = true;
	else if (strcmp(word, "files") == 0)
		limit_files(number);
	else if (strcmp(word, "umask") == 0)
		umask((mode_t)strtoul(value, NULL, 8));
	else if (strcmp(word, "flag") == 0)
		take_flag(value);
	else
		check(EINVAL, word);
}

int
main(int argc, char **argv)
{
	confinement self = { .calls = new_filter(SCMP_ACT_ERRNO(ENOSYS)) };
	FILE *rules = argc < 3 ? NULL : fopen(argv[1], "r");
	char word[16];
	char value[64];

	if (rules == NULL)
		fail("RULES PROGRAM ARGUMENT...");
	while (fscanf(rules, "%15s %63s", word, value) == 2)
		take_rule(&self, word, value);
	fclose(rules);
	deny_families(&self);
	/* Last, as it refuses to add filters. */
	load(self.calls, "SystemCallFilter");
	execvp(argv[2], argv + 2);
	fail(argv[2]);
}
