/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.c - runs a module in a child process with a time limit, and says how it ended.  The child
 * finds the file below a directory of its own, as KIND/TYPE.so, wherever it is.
 */
#include "trial.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fold.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/auto.h"
#include "common/help.h"
#include "policy/policy.h"

/* Larger instances are taken for a mistake in the descriptor. */
#define INSTANCE_USUAL (1U << 20)

const number_option trial_numbers[] = {
	{ "timeout", "seconds", 1, 86400 },
	{ NULL, NULL, 0, 0 },
};

bool
trial_read(trial *self, const GOptionEntry *rows)
{
	const command *own = self->common->self;
	g_auto(GStrv) wanted = g_strsplit(own->arguments, " ", -1);
	size_t count = g_strv_length(wanted), given;

	if (!options_read(self->common, rows))
		return false;
	given = self->arguments == NULL ? 0 : g_strv_length(self->arguments);
	if (given == count)
		return true;
	self->common->status = given < count
	        ? message_usage(own, "missing argument: %s", wanted[given])
	        : message_usage(own, "unexpected argument '%s'", self->arguments[count]);
	return false;
}

/* Removes KIND/TYPE.so from the scratch directory, and KIND. */
static void
remove_link(const trial *self)
{
	g_autofree char *link = place_below(&self->result->place, self->scratch);
	g_autofree char *directory = g_path_get_dirname(link);

	g_unlink(link);
	g_rmdir(directory);
}

/* ---- in the child ---- */

void
trial_stage(trial *self, const char *stage)
{
	if (getpid() != self->result->child) {
		self->result->forked = true;
		_exit(STATUS_ERROR);
	}
	self->result->stage = stage;
	if (fcntl(self->out_fd, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0)
		self->result->closed = true;
}

void
trial_say(trial *self, const char *format, ...)
{
	va_list arguments;

	if (g_str_has_prefix(format, "error: "))
		self->result->errors++;
	message_print_part(self->out, "%s: ", self->arguments[0]);
	va_start(arguments, format);
	message_vprint_line(self->out, format, arguments);
	va_end(arguments);
	fflush(self->out);
}

static void
say_problems(trial *self, const limen_diag *diag)
{
	const limen_problem *problem;

	for (size_t i = 0; (problem = limen_diag_get(diag, i)) != NULL; i++) {
		const char *hint = problem->hint == NULL ? "" : problem->hint;
		const char *mark = problem->hint == NULL ? "" : "; ";

		if (problem->severity == LIMEN_SEVERITY_PROBLEM)
			trial_say(self, "error: %s%s%s", problem->text, mark, hint);
		else
			trial_say(self, "warning: %s%s%s", problem->text, mark, hint);
	}
}

/* Finds the descriptor of a file that limen has loaded; returns false if it was not loaded. */
static bool
find_descriptor(trial *self)
{
	void *file = dlopen(self->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);

	self->head = file == NULL ? NULL : dlsym(file, "limen_module");
	return file != NULL;
}

/* Tells what the module is, what is odd about it, and which of its options must be given. */
static void
describe(void *data, const limen_module_info *info)
{
	trial *self = data;
	g_autoptr(GString) required = g_string_new(NULL);
	const limen_option *row;

	if (self->quiet)
		return;
	trial_say(self, "the %s '%s' %s for ABI %u.%u: %s", limen_kind_name((limen_kind)info->kind),
	          info->type, info->version == NULL ? "(no version)" : info->version,
	          info->abi_major, info->abi_minor,
	          info->summary == NULL ? "(no summary)" : info->summary);
	for (size_t i = 0; (row = limen_module_option(info, i)) != NULL; i++) {
		if (row->required)
			g_string_append_printf(required, "%s'%s'", required->len == 0 ? "" : ", ",
			                       row->key);
		if (row->help == NULL)
			trial_say(self, "warning: the option '%s' has no 'help'", row->key);
	}
	if (find_descriptor(self) && self->head->instance_size > INSTANCE_USUAL)
		trial_say(self, "warning: each instance takes %u bytes: 'instance_size' is sizeof "
		          "the struct of the instance", self->head->instance_size);
	self->closed = self->data == NULL && required->len > 0;
	if (self->closed)
		trial_say(self, "warning: it was not opened, because it requires %s: give --data",
		          required->str);
}

/* Makes KIND/TYPE.so in the scratch directory. */
static bool
link_file(trial *self)
{
	g_autofree char *link = place_below(&self->result->place, self->scratch);
	g_autofree char *directory = g_path_get_dirname(link);

	if (g_mkdir_with_parents(directory, 0700) == 0 && symlink(self->path, link) == 0)
		return true;
	trial_say(self, "error: cannot make %s: %s", link, g_strerror(errno));
	return false;
}

/*
 * Has limen load the file: it looks at who may write to it before that, and then at its descriptor
 * and options.  Problems are kept back if another name is to be tried, that of the descriptor.
 */
static bool
is_accepted(trial *self, bool is_placed)
{
	const module_place *place = &self->result->place;
	g_autoptr(limen_diag) diag = policy_diag();
	int result;

	if (!link_file(self))
		return false;
	result = limen_engine_find_module(limen_kit_engine(self->kit), (limen_kind)place->kind,
	                                  place->type, describe, self, diag);
	if (find_descriptor(self) && self->head == NULL)
		trial_say(self, "error: it is no module: it does not export limen_module, which "
		                "LIMEN_LIMIT() and its siblings define (limen/module.h)");
	else if (is_placed || self->head == NULL || self->head->abi_major != LIMEN_ABI_MAJOR)
		say_problems(self, diag);
	return result == LIMEN_OK;
}

/* Takes kind and type from the descriptor of a file that is not in a directory of its kind. */
static bool
find_names(trial *self)
{
	const limen_module_head *head = self->head;
	const char *kind = limen_kind_name((limen_kind)head->kind);

	remove_link(self);
	if (kind == NULL || head->name == NULL ||
	    !place_set(&self->result->place, head->kind, head->name)) {
		trial_say(self, "error: its descriptor has no valid kind and name");
		return false;
	}
	if (!self->quiet)
		trial_say(self, "warning: limen looks for the %s '%s' in %s/%s.so below a module "
		          "directory: 'limen module install' puts it there", kind, head->name, kind,
		          head->name);
	return true;
}

static bool
load(trial *self)
{
	g_autofree char *path = help_module_path(self->common->module_path);
	g_autofree char *all = g_strjoin(":", self->scratch, path, NULL);
	module_place *place = &self->result->place;
	bool is_placed = place_read(self->path, place);
	bool good;

	trial_stage(self, "loading the file");
	self->kit = limen_kit_new(all);
	if (self->kit == NULL) {
		trial_say(self, "error: %s", limen_result_text(LIMEN_ENOMEM));
		return false;
	}
	if (!is_placed)
		place_set(place, LIMEN_KIND_LIMIT, "not-known-yet");
	good = is_accepted(self, is_placed);
	if (is_placed || self->head == NULL || self->head->abi_major != LIMEN_ABI_MAJOR)
		return good;
	return find_names(self) && is_accepted(self, true);
}

bool
trial_open(trial *self, const char *data)
{
	int result;
	g_auto(GStrv) problems = NULL;

	trial_stage(self, "opening an instance ('init' and 'open')");
	result = limen_kit_open(self->kit, (limen_kind)self->result->place.kind, self->result->place.type, data);
	trial_stage(self, "reading the problems");
	problems = g_strsplit(limen_kit_problems(self->kit), "\n", -1);
	for (char **line = problems; *line != NULL; line++)
		if (**line != '\0')
			trial_say(self, "%s", *line);
	if (result != LIMEN_OK)
		self->result->errors++;
	return result == LIMEN_OK;
}

const char *
trial_method(const trial *self)
{
	static const char *const methods[] = {
		[LIMEN_KIND_IDENTIFIER] = "calling 'identify'",
		[LIMEN_KIND_REWRITER] = "calling 'rewrite'",
		[LIMEN_KIND_LIMIT] = "calling 'check'",
		[LIMEN_KIND_ADMISSION] = "calling 'mutate' and 'validate'",
		[LIMEN_KIND_PRIORITIZER] = "calling 'prioritize'",
		[LIMEN_KIND_STORE] = "calling 'take'",
	};

	return methods[self->result->place.kind];
}

limen_verdict
trial_call(trial *self, const char *document, const char *hints)
{
	limen_verdict verdict;

	trial_stage(self, trial_method(self));
	verdict = limen_kit_run(self->kit, document, hints);
	trial_stage(self, "reading the decision");
	return verdict;
}

/* Runs in the child; exit() runs what the module registered with atexit(). */
static void G_GNUC_NORETURN
run_child(trial *self, void (*work)(trial *self, void *data), void *data)
{
	self->result->child = getpid();
	setpgid(0, 0);
	/* Ctrl-C ends the parent alone. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	self->out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	self->out = fdopen(self->out_fd, "w");
	if (self->out == NULL)
		_exit(STATUS_ERROR);
	fold_start(&self->out);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (load(self) && work != NULL)
		work(self, data);
	trial_stage(self, "closing the instance ('close')");
	limen_kit_free(self->kit);
	trial_stage(self, "ending the process (atexit())");
	self->result->ended = true;
	exit(STATUS_GOOD);
}

/* ---- in the parent ---- */

/* Waits for the child, and ends what it started; false if its time was over. */
static bool
wait_for(pid_t child, int seconds, int *status)
{
	gint64 end = g_get_monotonic_time() + seconds * G_TIME_SPAN_SECOND;
	siginfo_t ended = { .si_pid = 0 };
	bool in_time = true;

	while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       ended.si_pid == 0 && in_time) {
		g_usleep(10000);
		in_time = g_get_monotonic_time() <= end;
	}
	kill(child, SIGKILL);
	kill(-child, SIGKILL);
	waitpid(child, status, 0);
	return in_time;
}

/* Says what became of a child that did not end by itself. */
static void
explain_end(trial *self, bool in_time, int status)
{
	const char *stage = self->result->stage;

	if (!in_time)
		trial_say(self, "error: limen was still %s after %d seconds: the module hangs, waits, or "
		            "ended the thread", stage, self->seconds);
	else if (WIFSIGNALED(status))
		trial_say(self, "error: it crashed while limen was %s: %s", stage,
		            strsignal(WTERMSIG(status)));
	else if (!self->result->ended)
		trial_say(self, "error: it ended the process with status %d while limen was %s: a module "
		            "must not call exit(), _exit(), exec() or pthread_exit()", WEXITSTATUS(status), stage);
	if (self->result->closed)
		trial_say(self, "error: it closed file descriptors that it did not open");
	if (self->result->forked)
		trial_say(self, "error: it called fork(), and the child returned to limen");
}

int
trial_run(trial *self, void (*work)(trial *self, void *data), void *data)
{
	const char *file = self->arguments[0];
	g_auto(heap_text) path = realpath(file, NULL);
	g_autofree char *scratch = NULL;
	int status = 0;
	pid_t child = -1;
	bool in_time;

	if (path == NULL) {
		message_error("%s: %s", file, g_strerror(errno));
		return STATUS_ERROR;
	}
	scratch = g_dir_make_tmp("limen-module-XXXXXX", NULL);
	self->path = path;
	self->scratch = scratch;
	self->out = stdout;
	self->result = mmap(NULL, sizeof(*self->result), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fflush(NULL);
	/* The caller may ignore it, and then there is no status to wait for. */
	signal(SIGCHLD, SIG_DFL);
	if (scratch != NULL && self->result != MAP_FAILED)
		child = fork();
	if (child < 0) {
		message_error("cannot try %s: %s", file, g_strerror(errno));
		return STATUS_ERROR;
	}
	if (child == 0)
		run_child(self, work, data);
	in_time = wait_for(child, self->seconds, &status);
	explain_end(self, in_time, status);
	remove_link(self);
	g_rmdir(self->scratch);
	return self->result->errors > 0 ? STATUS_BAD : STATUS_GOOD;
}
