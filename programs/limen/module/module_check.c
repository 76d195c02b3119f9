/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_check.c - "limen module check" and "limen module install": loads a module, opens an
 * instance and calls its methods, and says what is wrong; copies a good file into a module
 * directory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"
#include "cli/options.h"
#include "common/auto.h"
#include "common/verdict_name.h"
#include "trial.h"

/* Bytes of a reason that are shown. */
#define REASON_SHOWN 300

/* Returns where the module will be installed, to g_free(). */
static char *
installed_path(const trial *self)
{
	return place_below(&self->result->place,
	                   self->directory == NULL ? LIMEN_MODULEDIR : self->directory);
}

/* Says that another file of the same kind and type comes first. */
static void
compare_place(trial *self)
{
	const module_place *own = &self->result->place;
	g_autofree char *installed = self->installs ? installed_path(self) : NULL;
	g_autofree char *first = place_find(own, self->common);
	g_auto(heap_text) real = first == NULL ? NULL : realpath(first, NULL);

	if (first != NULL && g_strcmp0(real, self->path) != 0 && g_strcmp0(first, installed) != 0)
		trial_say(self, "warning: limen uses %s for the %s '%s', and not this file: if that is "
		          "an installed copy of it, install it again; else choose another name, "
		          "or put its directory first (--module-path)", first,
		          limen_kind_name((limen_kind)own->kind), own->type);
}

/* Prints what a method said; a reason of the core is about a mistake of the module. */
static void
say_verdict(trial *self, const char *document, limen_verdict verdict)
{
	const char *reason = limen_kit_reason(self->kit);
	bool silent = verdict == LIMEN_FAIL && reason[0] == '\0' &&
	              self->result->place.kind == LIMEN_KIND_LIMIT;
	g_autofree char *text = g_strdup_printf("%s for %s: %s%s%.*s", trial_method(self), document,
	                                        verdict_name(verdict), reason[0] == '\0' ? "" : ": ",
	                                        REASON_SHOWN, reason);

	if (g_str_has_prefix(reason, "the module ") || g_str_has_prefix(reason, "limen_reply_"))
		trial_say(self, "error: %s", text);
	else
		trial_say(self, "%s%s%s", silent || verdict == LIMEN_ERROR ? "warning: " : "", text,
		          silent ? ", without a reason" : "");
}

/* Calls the methods with an empty request and with an ordinary one. */
static void
call_methods(trial *self)
{
	static const char task[] =
		"{\"test\":{\"type\":\"rtt\",\"spec\":{\"dest\":\"192.0.2.1\",\"count\":5}},"
		"\"run_schedule\":{\"start\":\"2020-01-01T00:00:00Z\",\"duration\":\"PT5S\"}}";
	static const char object[] =
		"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":"
		"\"b\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"d\"}]}}";
	bool admission = self->result->place.kind == LIMEN_KIND_ADMISSION;
	limen_verdict verdict = trial_call(self, "{}", NULL);

	/* The core gives a reason for each error, so without one it did not call. */
	if (verdict != LIMEN_ERROR || limen_kit_reason(self->kit)[0] != '\0')
		say_verdict(self, "{}", verdict);
	verdict = trial_call(self, admission ? object : task, "{\"user\":\"ann\"}");
	say_verdict(self, admission ? "a pod" : "a run", verdict);
}

static void
check_status(trial *self)
{
	g_auto(heap_text) text = NULL;

	trial_stage(self, "calling 'status'");
	text = limen_engine_describe(limen_kit_engine(self->kit), 0, NULL);
	if (text != NULL && strstr(text, "the module wrote an invalid status") != NULL)
		trial_say(self, "error: 'status' wrote an invalid status: it must leave the object "
		                "open that it was given, and neither finish nor free it");
}

static void
check_module(trial *self, void *data)
{
	(void)data;
	compare_place(self);
	if (self->closed || !trial_open(self, self->data == NULL ? "{}" : self->data))
		return;
	call_methods(self);
	check_status(self);
}

static int
check(trial *self, const GOptionEntry *rows)
{
	if (!trial_read(self, rows))
		return self->common->status;
	if (self->directory != NULL && self->directory[0] == '\0')
		return message_usage(self->common->self, "--directory is empty: name a directory");
	return trial_run(self, check_module, NULL);
}

static int
run_check(common_options *common)
{
	trial self = { .common = common, .seconds = TRIAL_SECONDS };
	const GOptionEntry rows[] = { TRIAL_ROWS(&self), OPTION_END };
	int status = check(&self, rows);

	if (status == STATUS_GOOD && self.result != NULL)
		message_print_line(stdout, "%s: no errors were found", self.arguments[0]);
	return status;
}

const command module_check_command = {
	.name = "module check",
	.arguments = "FILE",
	.summary = "Try a module in a child process, and say what is wrong",
	.details =
		"FILE is the shared object, such as limit/office-hours.so.  It is loaded, an\n"
		"instance is opened with the options in --data, and its methods are called.\n"
		"Says if the module crashes, ends the process or hangs, if limen refuses its ABI,\n"
		"its descriptor, its options or the place of the file, and if limen would use\n"
		"another file of that kind and name.  What it prints goes to standard error.\n"
		"\n"
		"The exit status is 1 if there is an error, and 2 for wrong usage and a file that\n"
		"cannot be read.\n"
		"\n"
		"Examples:\n"
		"  limen module check limit/office-hours.so\n"
		"  limen module check limit/cap.so --data '{\"path\": \"/n\", \"max\": 3}'\n",
	.numbers = trial_numbers,
	.run = run_check,
};

/* ---- install ---- */

/* Replaces 'to' in one step: a program that has loaded the old file keeps it. */
static int
copy_module(const char *from, const char *to)
{
	g_autofree char *directory = g_path_get_dirname(to);
	g_autofree char *content = NULL;
	g_autoptr(GError) error = NULL;
	bool replaced = g_file_test(to, G_FILE_TEST_EXISTS);
	gsize length;

	/* The mask of root may hide files from the user of limend. */
	umask(022);
	if (g_mkdir_with_parents(directory, 0755) != 0)
		message_error("%s: %s", directory, g_strerror(errno));
	else if (!g_file_get_contents(from, &content, &length, &error) ||
	         !g_file_set_contents_full(to, content, (gssize)length,
	                                   G_FILE_SET_CONTENTS_CONSISTENT, 0644, &error))
		message_error("%s", error->message);
	else
		message_print_line(stdout, "%s %s%s", replaced ? "replaced" : "installed", to,
		                   replaced ? ": restart programs that use it" : "");
	return content == NULL || error != NULL ? STATUS_ERROR : STATUS_GOOD;
}

static int
run_install(common_options *common)
{
	trial self = { .common = common, .seconds = TRIAL_SECONDS, .installs = true };
	const GOptionEntry rows[] = {
		OPTION_TEXT("directory", 0, &self.directory, "DIR",
		            "The module directory (default: that of this limen)"),
		TRIAL_ROWS(&self),
		OPTION_END,
	};
	g_autofree char *to = NULL;
	int status = check(&self, rows);

	if (status != STATUS_GOOD || self.result == NULL)
		return status;
	to = installed_path(&self);
	status = copy_module(self.arguments[0], to);
	/* Limen loads no module from a directory that others may change. */
	self.arguments = (char *[]){ to, NULL };
	self.quiet = true;
	return status == STATUS_GOOD ? trial_run(&self, NULL, NULL) : status;
}

const command module_install_command = {
	.name = "module install",
	.arguments = "FILE",
	.summary = "Check a module and put it where limen finds it",
	.details =
		"Checks FILE as \"limen module check\" does, and copies it to DIR/KIND/NAME.so if\n"
		"there is no error.  A file that is there is replaced in one step; programs that\n"
		"have loaded it use the old one until they are started again.\n"
		"\n"
		"With another DIR than that of this limen, name it in LIMEN_MODULE_PATH or\n"
		"--module-path.  The exit status is 1 if there is an error, and 2 for wrong usage\n"
		"and a file that cannot be read or written.\n"
		"\n"
		"Examples:\n"
		"  sudo limen module install limit/office-hours.so\n"
		"  limen module install limit/office-hours.so --directory ~/.limen\n",
	.numbers = trial_numbers,
	.run = run_install,
};
