/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit_process.c - starts the process that tries an edited policy, waits for it, and is its program.
 * Landlock keeps its policy from files, and a filter of system calls from sockets; scripts run in
 * processes of limen-jq-sandbox, which inherit both.
 */
#include "edit_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limen/engine.h>
#include <limen/host.h>
#include <limen/question.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/auto.h"
#include "../common/json_out.h"
#include "question.h"

#define DECIDING (LIMEN_SECOND * EDIT_SECONDS * 4 / 5)
/* Less than the limit of a pod, whose processes may all end with one that reaches it. */
#define MEMORY ((rlim_t)512 << 20)
/* No further answer is made after so many bytes: limend reads and repeats them. */
#define ANSWERS ((gsize)16 << 20)
/* The memory that limen shares with a script's process has 64 MiB and some bytes. */
#define FILE_BYTES ((rlim_t)80 << 20)

/* The status of a process that could not be closed. */
#define STATUS_OPEN 3

/* ---- the process ---- */

static const uint64_t reads = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;

static void
allow(int rules, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = access };

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return;
	syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
}

/*
 * Allows programs, libraries, modules, scripts that can be imported, and time zones, also those of
 * the prefix that the program is in; neither an "etc" nor what lies beside the program.
 */
static bool
close_files(const char *modules)
{
	/* All that version 1 knows. */
	const struct landlock_ruleset_attr all = { .handled_access_fs =
		                                           (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1 };
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = g_path_get_dirname(program == NULL ? "/usr/bin/" : program);
	const char *const more[] = { modules, g_getenv("LD_LIBRARY_PATH"),
		                     g_getenv("LIMEN_JQ_SANDBOX"), g_getenv("LIMEN_JQ_PATH") };
	g_autoptr(GString) list = g_string_new("/lib:/lib64:/usr/lib:/usr/lib64:/usr/libexec:/usr/share:"
	                                       "/usr/local/lib:/etc/ld.so.cache:/etc/localtime");
	g_auto(GStrv) paths = NULL;

	g_string_append_printf(list, ":" LIMEN_MODULEDIR ":%s/../lib:%s/../libexec:%s/../share", bin, bin,
	                       bin);
	for (size_t i = 0; i < G_N_ELEMENTS(more); i++)
		g_string_append_printf(list, ":%s", more[i] == NULL ? "" : more[i]);
	paths = g_strsplit(list->str, ":", -1);
	for (char **path = paths; rules >= 0 && *path != NULL; path++) {
		bool directory = g_file_test(*path, G_FILE_TEST_IS_DIR);

		allow(rules, *path, reads | (directory ? LANDLOCK_ACCESS_FS_READ_DIR : 0));
	}
	allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
	return rules >= 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

/* The architecture of the numbers of system calls; 0: not known here. */
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define ARCHITECTURE AUDIT_ARCH_S390X
#else
#define ARCHITECTURE 0
#endif

/* Calls of x32, which are those of x86-64 with this bit. */
#define OTHER_NUMBERS 0x40000000

/* Another architecture has other numbers, which end the process: the filter would not know them. */
static bool
close_network(void)
{
#define REFUSE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
	struct sock_filter rows[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_socket),
		REFUSE(SYS_io_uring_setup),
		REFUSE(SYS_ptrace),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { .len = G_N_ELEMENTS(rows), .filter = rows };

	return ARCHITECTURE != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Adds MEMORY to the address space in use, which is large under a sanitizer. */
static bool
limit_memory(void)
{
	g_autofree char *text = NULL;
	rlim_t most = MEMORY;

	if (g_file_get_contents("/proc/self/statm", &text, NULL, NULL))
		most += (rlim_t)g_ascii_strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
	return setrlimit(RLIMIT_AS, &(struct rlimit){ most, most }) == 0;
}

static bool
close_process(const char *modules)
{
	const struct rlimit seconds = { EDIT_SECONDS, EDIT_SECONDS };
	const struct rlimit file = { FILE_BYTES, FILE_BYTES };
	const struct rlimit none = { 0, 0 };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       setrlimit(RLIMIT_CPU, &seconds) == 0 && setrlimit(RLIMIT_FSIZE, &file) == 0 &&
	       setrlimit(RLIMIT_CORE, &none) == 0 &&
	       limit_memory() && close_files(modules) && close_network();
}

/* 'left' is the time of the decision. */
static void
append_answer(limen_engine *engine, limen_value members, limen_duration left, GString *out)
{
	const limen_question_options rules = { .size = sizeof(rules), .trusted = true,
		                               .dry_run = true };
	limen_decide_options options = { .size = sizeof(options), .timeout = left };
	g_autoptr(limen_request) request = NULL;
	g_autoptr(limen_decision) decision = NULL;
	g_auto(heap_text) text = NULL;

	if (limen_question_read(members, &rules, &options, &request, NULL) == LIMEN_OK &&
	    limen_engine_decide(engine, request, &options, &decision) == LIMEN_OK)
		text = limen_request_answer(request, decision, 0, NULL);
	json_raw(out, text);
}

/* Compiles the policy of the job and decides its questions under it. */
static void
try_job(limen_value job, const char *modules, GString *out)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.flags = LIMEN_ENGINE_PASSIVE | LIMEN_ENGINE_MEMORY_STORES |
		         LIMEN_ENGINE_FOREIGN_TEXTS,
		.module_path = modules,
		.manifest_namespace = limen_value_string(limen_value_get(job, "namespace"), NULL),
	};
	g_autoptr(limen_engine) engine = limen_engine_new(&options);
	g_autoptr(limen_diag) diag = limen_diag_new();
	limen_iter iter = limen_iter_start(limen_value_get(job, "cases"));
	limen_value item;
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(job, "policy"), &length);
	/* Each decision ends early enough to be told, and its scripts with it. */
	int64_t end = limen_host_monotonic() + DECIDING * 1000;
	int result = limen_engine_load_text(engine, NULL, text, length, diag);
	limen_duration left = 1;

	json_write(out, "{");
	json_key(out, "problems");
	question_append_problems(out, diag);
	json_write(out, "answers:[");
	while (result == LIMEN_OK && left > 0 && out->len < ANSWERS &&
	       limen_iter_next(&iter, NULL, &item)) {
		left = (end - limen_host_monotonic()) / 1000;
		if (left > 0)
			append_answer(engine, limen_value_get(item, "question"), left, out);
	}
	json_write(out, "]}");
}

int
edit_process_main(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(limen_documents) parsed = NULL;
	g_autofree char *text = NULL;
	const char *modules;
	limen_value job;
	gsize length = 0;

	alarm(EDIT_SECONDS + 1);
	if (!g_file_get_contents("/proc/self/fd/0", &text, &length, NULL) ||
	    limen_documents_parse("job.json", text, length, 0, &parsed, NULL) != LIMEN_OK)
		return 1;
	job = limen_documents_get(parsed, 0);
	modules = limen_value_string(limen_value_get(job, "modules"), NULL);
	if (!close_process(modules))
		return STATUS_OPEN;
	try_job(job, modules, out);
	/* Without what a sanitizer does at the end, which needs files. */
	_exit(write(1, out->str, out->len) == (ssize_t)out->len ? 0 : 1);
}

/* ---- limend ---- */

/* Waits for the process, and kills it after its time.  Returns its status; -1: it had none. */
static int
await(GPid pid)
{
	struct pollfd watched = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	siginfo_t found = { .si_code = 0 };

	if (poll(&watched, 1, EDIT_SECONDS * 1000) != 1)
		kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &found, WEXITED);
	if (watched.fd >= 0)
		close(watched.fd);
	return found.si_code == CLD_EXITED ? found.si_status : -1;
}

static char *
run(const GString *job, int in, int out, fault *why)
{
	const char *const words[] = { "/proc/self/exe", EDIT_PROCESS, NULL };
	struct stat found = { .st_size = 0 };
	g_autofree char *text = NULL;
	int status;
	GPid pid;

	if (write(in, job->str, job->len) != (ssize_t)job->len ||
	    !g_spawn_async_with_fds(NULL, (char **)words, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL,
	                            NULL, &pid, in, out, -1, NULL)) {
		fault_set(why, 503, "No process for the edit can be started");
		return NULL;
	}
	status = await(pid);
	fstat(out, &found);
	text = g_malloc0((size_t)found.st_size + 1);
	if (status == 0 && pread(out, text, (size_t)found.st_size, 0) == (ssize_t)found.st_size)
		return g_steal_pointer(&text);
	if (status == STATUS_OPEN)
		fault_set(why, 503, "Edits cannot be tried here: that needs Landlock (Linux 5.13)");
	else
		fault_set(why, 503, "The edited policy did not decide within %d s and %d MiB",
		          EDIT_SECONDS, (int)(MEMORY >> 20));
	return NULL;
}

char *
edit_process_run(const GString *job, fault *why)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	int in, out;
	char *text;

	if (atomic_flag_test_and_set(&busy)) {
		fault_set(why, 503, "Another edit is being tried");
		return NULL;
	}
	in = memfd_create("limend-edit", MFD_CLOEXEC);
	out = memfd_create("limend-edit", MFD_CLOEXEC);
	text = run(job, in, out, why);
	close(in);
	close(out);
	atomic_flag_clear(&busy);
	return text;
}
