/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_check.c - "limen module check" and "limen module install": loads a module, opens an
 * instance and calls its methods, and says what is wrong; copies a good file into a module
 * directory.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/auto.h"
#include "common/verdict_name.h"
#include "trial.h"

/* Bytes of a reason that are shown. */
#define REASON_SHOWN 300

/* Says that another file of the same kind and type comes first. */
static void
compare_place(const trial *self)
{
	const module_place *own = &self->result->place;
	g_autofree char *first = place_find(own, self->options->common);
	g_auto(heap_text) real = first == NULL ? NULL : realpath(first, NULL);

	if (first != NULL && g_strcmp0(real, self->path) != 0)
		trial_say(self, "warning: limen uses %s for the %s '%s', and not this file: choose "
		          "another name, or put its directory first (--module-path)", first,
		          limen_kind_name((limen_kind)own->kind), own->type);
}

/* Prints what a method said; a reason of the core is about a mistake of the module. */
static void
say_verdict(trial *self, const char *document, limen_verdict verdict)
{
	const char *reason = limen_kit_reason(self->kit);
	g_autofree char *text = g_strdup_printf("%s for %s: %s%s%.*s", trial_method(self), document,
	                                        verdict_name(verdict), reason[0] == '\0' ? "" : ": ",
	                                        REASON_SHOWN, reason);

	if (g_str_has_prefix(reason, "the module ") || g_str_has_prefix(reason, "limen_reply_"))
		trial_error(self, "%s", text);
	else if (verdict == LIMEN_FAIL && reason[0] == '\0' &&
	         self->result->place.kind == LIMEN_KIND_LIMIT)
		trial_say(self, "warning: %s, without a reason", text);
	else
		trial_say(self, "%s%s", verdict == LIMEN_ERROR ? "warning: " : "", text);
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
		trial_error(self, "'status' wrote an invalid status: it must leave the object open "
		                  "that it was given, and neither finish nor free it");
}

static void
check_module(trial *self, void *data)
{
	(void)data;
	compare_place(self);
	if (self->closed || !trial_open(self, self->options->data == NULL ? "{}" : self->options->data))
		return;
	call_methods(self);
	check_status(self);
}

static int
run_check(common_options *common)
{
	trial_options self = { .common = common, .seconds = TRIAL_SECONDS };
	trial_result result;
	char **arguments = NULL;
	const GOptionEntry rows[] = { TRIAL_ROWS(&self), OPTION_REST(&arguments), OPTION_END };
	int status;

	if (!options_read(common, rows))
		return common->status;
	if (!trial_arguments(&self, arguments, NULL))
		return STATUS_ERROR;
	status = trial_run(&self, check_module, NULL, &result);
	if (status == STATUS_GOOD)
		message_print_line(stdout, "%s: no errors were found", self.file);
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
		"another file of that kind and name.\n"
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

/* Copies 'from' to 'to' in one step: a program that has loaded the old file keeps it. */
static int
copy_module(const char *from, const char *to)
{
	g_autofree char *why = NULL;
	g_autofree char *directory = g_path_get_dirname(to);
	GString *content = input_read(from, &why);
	g_autoptr(GError) error = NULL;
	bool replaced = g_file_test(to, G_FILE_TEST_EXISTS);
	bool good = content != NULL && g_mkdir_with_parents(directory, 0755) == 0;

	if (content != NULL && !good)
		why = g_strdup_printf("%s: %s", directory, g_strerror(errno));
	good = good && g_file_set_contents_full(to, content->str, (gssize)content->len,
	                                        G_FILE_SET_CONTENTS_CONSISTENT, 0644, &error);
	if (good)
		message_print_line(stdout, "%s %s%s", replaced ? "replaced" : "installed", to,
		                   replaced ? ": restart programs that use it" : "");
	else
		message_error("%s", why != NULL ? why : error->message);
	if (content != NULL)
		g_string_free(content, TRUE);
	return good ? STATUS_GOOD : STATUS_ERROR;
}

static int
run_install(common_options *common)
{
	trial_options self = { .common = common, .seconds = TRIAL_SECONDS };
	trial_result result;
	char **arguments = NULL;
	char *directory = NULL;
	const GOptionEntry rows[] = {
		OPTION_TEXT("directory", 0, &directory, "DIR",
		            "The module directory (default: that of this limen)"),
		TRIAL_ROWS(&self),
		OPTION_REST(&arguments),
		OPTION_END,
	};
	g_autofree char *to = NULL;
	int status;

	if (!options_read(common, rows))
		return common->status;
	if (!trial_arguments(&self, arguments, NULL))
		return STATUS_ERROR;
	status = trial_run(&self, check_module, NULL, &result);
	if (status != STATUS_GOOD)
		return status;
	to = place_below(&result.place, directory == NULL ? LIMEN_MODULEDIR : directory);
	/* The mask of root may hide files from the user of limend. */
	umask(022);
	return copy_module(self.file, to);
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
