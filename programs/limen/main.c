/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - finds the command and runs it.
 */
#include <limen/version.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <limen/nearest.h>

#include "cli/fold.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/exit_guard.h"
#include "common/tree.h"

/* Each command is defined by the file that runs it. */
extern const command validate_command, check_command, test_command, replay_command,
	describe_command, get_command, buckets_command, top_command, module_command, explain_command,
	graph_command, audit_command, module_new_command, module_list_command, suggest_command, webhook_config_command;

static const command *const commands[] = {
	&validate_command,
	&check_command,
	&test_command,
	&replay_command,
	&audit_command,
	&describe_command,
	&get_command,
	&buckets_command,
	&top_command,
	&explain_command,
	&graph_command,
	&module_command,
	&suggest_command,
	&webhook_config_command,
	NULL,
};

/* Other names of commands. */
static const struct {
	const char *name;
	const command *command;
} aliases[] = {
	{ "new-module", &module_new_command },
	{ "modules", &module_list_command },
};

static int
show_overview(void)
{
	fold_start(&stdout);
	puts("Usage:\n  limen [--module-path DIRS] [--color WHEN] COMMAND [ARGUMENT...]\n\n"
	     "Decides whether requests may pass, as a policy says.\n\nCommands:");
	for (size_t i = 0; commands[i] != NULL; i++)
		printf("  %-14s %s\n", commands[i]->name, commands[i]->summary);
	puts("\nOptions:\n"
	     "  --module-path=DIRS  Look for modules in these directories first\n"
	     "  --color=WHEN        Colour the text: auto, always or never\n"
	     "  --version           Show the version, as \"limen version\" does\n"
	     "  -h, --help          Show this help; for a command: limen COMMAND --help\n\n"
	     "Environment:\n"
	     "  LIMEN_POLICY        The policy if --policy is not given\n"
	     "                      (default: " LIMEN_CONFDIR ")\n"
	     "  LIMEN_MODULE_PATH   Module directories searched after those of --module-path\n"
	     "                      (then: " LIMEN_MODULEDIR ")\n"
	     "  NO_COLOR            Turns colours off on a terminal\n\n"
	     "Examples:\n"
	     "  limen validate limits.conf\n"
	     "  limen check --policy limits.conf --hint requester=10.0.0.1 task.json\n"
	     "  limen check --policy limits.yaml deployment.yaml\n"
	     "  limen describe limits limits.yaml\n"
	     "  limen explain limit/jq" LIMEN_HELP_BUGS);
	return STATUS_GOOD;
}

/*
 * Returns the command called 'name' in 'list', where names begin with that of 'parent' unless it
 * is NULL; NULL after a message with the nearest one.
 */
static const command *
find_command(const command *parent, const command *const *list, const char *name)
{
	g_autofree char *whole = parent == NULL ? g_strdup(name)
	                                        : g_strconcat(parent->name, " ", name, NULL);
	limen_nearest best = limen_nearest_to(name);

	for (; *list != NULL; list++) {
		if (strcmp((*list)->name, whole) == 0)
			return *list;
		limen_nearest_offer(&best, (*list)->name + strlen(whole) - strlen(name));
	}
	if (best.word != NULL)
		message_usage(parent, "unknown command '%s' (did you mean '%s'?)", whole, best.word);
	else
		message_usage(parent, "unknown command '%s'", whole);
	return NULL;
}

/* Returns the command that 'argv' names, and skips the first of two words; NULL after a message. */
static const command *
read_command(common_options *common)
{
	const char *name = common->argv[0];
	const command *found;

	for (size_t i = 0; i < G_N_ELEMENTS(aliases); i++)
		if (strcmp(aliases[i].name, name) == 0)
			return aliases[i].command;
	found = find_command(NULL, commands, name);
	name = common->argc > 1 ? common->argv[1] : "";
	if (found == NULL || found->commands == NULL || name[0] == '\0' || name[0] == '-')
		return found;
	common->argc--;
	common->argv++;
	return find_command(found, found->commands, name);
}

static int
show_version(void)
{
	unsigned major;
	unsigned minor;

	limen_version(&major, &minor);
	printf("limen " LIMEN_VERSION " (ABI %u.%u)\n", major, minor);
	return STATUS_GOOD;
}

static int
run_command(common_options *common)
{
	char **argv = common->argv;

	if (strcmp(argv[0], "version") == 0)
		return common->argc == 1 ? show_version()
		                         : message_usage(NULL, "unexpected argument '%s'", argv[1]);
	/* "limen help COMMAND" prints the same help as "limen COMMAND --help". */
	if (strcmp(argv[0], "help") == 0) {
		common->help = TRUE;
		if (common->argc == 1 || strcmp(argv[1], "help") == 0)
			return show_overview();
		common->argc--;
		common->argv = ++argv;
	}
	common->self = read_command(common);
	return common->self == NULL ? STATUS_ERROR : common->self->run(common);
}

static int
run_program(common_options *common)
{
	gboolean version = FALSE;
	int skipped;

	if (!options_read_global(common, &version))
		return STATUS_ERROR;
	if (version)
		return show_version();
	/* The name of the program.  GLib leaves "--" in place if options follow the command. */
	skipped = common->argc > 1 && strcmp(common->argv[1], "--") == 0 ? 2 : 1;
	if (common->argc <= skipped)
		return common->help ? show_overview()
		                    : message_usage(NULL, "no command is given");
	common->argc -= skipped;
	common->argv += skipped;
	return run_command(common);
}

static void
report_exit(const char *text)
{
	message_error("%s", text);
}

int
main(int argc, char **argv)
{
	common_options common = { .argc = argc, .argv = argv };
	int status;

	/* The parent may have set SIGPIPE to ignored; "limen ... | head" must end. */
	signal(SIGPIPE, SIG_DFL);
	/* A write beyond the file size limit (ulimit -f) fails like one to a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	tree_prepare();
	fold_start(&stderr);
	exit_guard_start(STATUS_ERROR, report_exit);
	status = message_finish(run_program(&common));
	exit_guard_end();
	options_free(&common);
	return status;
}
