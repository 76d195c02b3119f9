/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_guard.c - catches exit() and quick_exit() by handlers of the C library and crashes by
 * handlers of signals, and finds the module responsible on the stack.
 */
#include "exit_guard.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <glib.h>
#include <limen/types.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "print.h"

/* Number of stack frames searched: a module may be below a library that it uses. */
#define FRAMES_MAX 64

static struct {
	pid_t pid;
	int status;
	void (*report)(const char *text);
	atomic_bool armed;
} guard;

/* Returns true if the file loaded at 'place' defines the symbol of modules (limen/module.h). */
static bool
is_module(const Dl_info *place)
{
	void *handle = dlopen(place->dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	void *symbol = handle == NULL ? NULL : dlsym(handle, "limen_module");
	Dl_info own;

	/* dlsym() also looks into libraries that the file needs. */
	return symbol != NULL && dladdr(symbol, &own) != 0 && own.dli_fbase == place->dli_fbase;
}

/* Returns the file of the innermost module on the stack, or NULL. */
static const char *
find_module(void)
{
	void *frames[FRAMES_MAX];
	int count = backtrace(frames, FRAMES_MAX);
	static Dl_info place;

	for (int i = 0; i < count; i++)
		if (dladdr(frames[i], &place) != 0 && place.dli_fname != NULL && is_module(&place))
			return place.dli_fname;
	return NULL;
}

static void
end_process(const char *call)
{
	const char *module;
	char *text;

	if (!atomic_exchange(&guard.armed, false) || getpid() != guard.pid)
		return;
	module = find_module();
	text = module == NULL ? print_text("a library called %s", call)
	                      : print_text("the module %s called %s", module, call);
	guard.report(text);
	_exit(guard.status);
}

static void
end_exit(void)
{
	end_process("exit()");
}

static void
end_quick_exit(void)
{
	end_process("quick_exit()");
}

/* ---- crashes ---- */

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

/*
 * Is this the path of a module: DIRECTORY/KIND/TYPE.so, or DIRECTORY/KIND/.libs/TYPE.so in a build
 * tree?  Unlike is_module() it takes no lock, which the crash may have left behind.
 */
static bool
is_module_path(const char *path)
{
	const char *end = strrchr(path, '/');

	if (end != NULL && end - path > 6 && memcmp(end - 6, "/.libs", 6) == 0)
		end -= 6;
	for (int kind = LIMEN_KIND_IDENTIFIER; end != NULL && kind <= LIMEN_KIND_STORE; kind++) {
		const char *name = limen_kind_name((limen_kind)kind);
		size_t length = strlen(name);

		if ((size_t)(end - path) > length && end[-(ptrdiff_t)length - 1] == '/' &&
		    memcmp(end - length, name, length) == 0)
			return true;
	}
	return false;
}

/* Returns the file of the innermost module on the stack, or NULL.  Safe in a signal handler. */
static const char *
find_crashed(void)
{
	void *frames[FRAMES_MAX];
	int count = backtrace(frames, FRAMES_MAX);
	struct dl_find_object place;

	for (int i = 0; i < count; i++)
		if (_dl_find_object(frames[i], &place) == 0 &&
		    is_module_path(place.dlfo_link_map->l_name))
			return place.dlfo_link_map->l_name;
	return NULL;
}

/* SA_RESETHAND: when this returns, the instruction fails again and the process dies of it. */
static void
report_crash(int number, siginfo_t *info, void *context)
{
	const char *module = find_crashed();
	const char *parts[] = { program_invocation_short_name, ": the module ", module,
		                " crashed: ", sigdescr_np(number), "\n" };
	struct iovec pieces[G_N_ELEMENTS(parts)];
	ssize_t written = 0;

	(void)context;
	for (size_t i = 0; module != NULL && i < G_N_ELEMENTS(parts); i++)
		pieces[i] = (struct iovec){ (char *)parts[i], strlen(parts[i]) };
	if (module != NULL)
		written = writev(STDERR_FILENO, pieces, G_N_ELEMENTS(parts));
	(void)written; /* nothing can be done about a failure */
	/* A signal that was sent does not come again by itself. */
	if (info->si_code <= 0)
		raise(number);
}

/* A sanitizer has handlers of its own, which stay. */
static void
watch_crashes(void)
{
	static char own_stack[64 << 10];
	const stack_t stack = { .ss_sp = own_stack, .ss_size = sizeof(own_stack) };
	const struct sigaction report = { .sa_sigaction = report_crash,
		.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK) };
	struct sigaction before;
	void *frame;

	/* The first call of backtrace() loads a library, which a handler must not do. */
	backtrace(&frame, 1);
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(crash_signals); i++)
		if (sigaction(crash_signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			sigaction(crash_signals[i], &report, NULL);
}

void
exit_guard_start(int status, void (*report)(const char *text))
{
	guard.pid = getpid();
	guard.status = status;
	guard.report = report;
	atomic_store(&guard.armed, true);
	if (atexit(end_exit) != 0 || at_quick_exit(end_quick_exit) != 0)
		g_error("out of memory");
	watch_crashes();
}

void
exit_guard_end(void)
{
	atomic_store(&guard.armed, false);
}
