/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_guard.c - catches exit() by an atexit() handler, and finds the module that called it on
 * the stack.
 */
#include "exit_guard.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
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
end_process(void)
{
	const char *module;
	char *text;

	if (!atomic_exchange(&guard.armed, false) || getpid() != guard.pid)
		return;
	module = find_module();
	text = module == NULL ? g_strdup("a library called exit()")
	                      : print_text("the module %s called exit()", module);
	guard.report(text);
	_exit(guard.status);
}

void
exit_guard_start(int status, void (*report)(const char *text))
{
	guard.pid = getpid();
	guard.status = status;
	guard.report = report;
	atomic_store(&guard.armed, true);
	if (atexit(end_process) != 0)
		g_error("out of memory");
}

void
exit_guard_end(void)
{
	atomic_store(&guard.armed, false);
}
