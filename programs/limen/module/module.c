/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - "limen module": lists the commands for authors of modules.
 */
#include "cli/message.h"
#include "cli/options.h"

extern const command module_new_command, module_check_command, module_test_command,
	module_install_command, module_list_command;

static const command *const commands[] = {
	&module_new_command,     &module_check_command, &module_test_command,
	&module_install_command, &module_list_command,  NULL,
};

static int
run_module(common_options *common)
{
	const GOptionEntry rows[] = { OPTION_END };

	if (!options_read(common, rows))
		return common->status;
	return message_usage(common->self, "no command is given");
}

const command module_command = {
	.name = "module",
	.arguments = "COMMAND [ARGUMENT...]",
	.summary = "Write, check, test, install and list modules",
	.details =
		"Commands:\n"
		"  new KIND NAME       Write the skeleton of a module\n"
		"  check FILE          Try a module in a child process, and say what is wrong\n"
		"  test FILE CASES     Run a module on requests, and compare its verdicts\n"
		"  install FILE        Check a module and put it where limen finds it\n"
		"  list                List the modules that are installed\n"
		"\n"
		"\"limen new-module\" is \"limen module new\", and \"limen modules\" is \"limen\n"
		"module list\".  The guide is docs/module-authors.md.\n"
		"\n"
		"Examples:\n"
		"  limen module new limit office-hours\n"
		"  make -C office-hours\n"
		"  limen module check office-hours/limit/office-hours.so\n",
	.commands = commands,
	.run = run_module,
};
