/* SPDX-License-Identifier: Apache-2.0 */
/*
 * new.c - "limen module new": copies the example of a kind of module under a new name.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "place.h"
#include "policy/catalog.h"
#include "skeleton.h"

/* The names and the directory of the new module. */
typedef struct plan {
	const char *kind;
	const char *type;
	const char *directory;
	const char *word; /* the type as a C identifier */
} plan;

/* Reserved words with "_" of C23, and of <assert.h>, <threads.h> and <iso646.h> before it. */
static const char *const words_of_c[] = { "and_eq", "not_eq", "or_eq", "static_assert",
	                                  "thread_local", "typeof_unqual", "xor_eq", NULL };

/*
 * Returns true if 'word' has a "_", no capitals, and is not reserved: other keywords and macros
 * are one word or have capitals, and "limen" is the prefix of our own names.  Library types such
 * as int64_t may be used as a struct tag, and the generated functions add a verb to the name.
 */
static bool
is_free_in_c(const char *word)
{
	if (strchr(word, '_') == NULL || g_str_has_prefix(word, "limen") ||
	    g_strv_contains(words_of_c, word))
		return false;
	while (*word != '\0' && !g_ascii_isupper(*word))
		word++;
	return *word == '\0';
}

static char *
spell_in_c(const char *type)
{
	g_autofree char *word = g_strdelimit(g_strdup(type), "-", '_');

	return is_free_in_c(word) ? g_steal_pointer(&word) : g_strconcat("my_", word, NULL);
}

/* Returns 'text' with the name of the example replaced by the new one. */
static char *
rename_in(const plan *self, const skeleton_file *file, const char *text)
{
	g_autofree char *spelt = g_strdelimit(g_strdup(file->type), "-", '_');
	GString *renamed = g_string_new(text);

	/* The order avoids a second replacement: a C identifier has no hyphen. */
	g_string_replace(renamed, spelt, self->word, 0);
	g_string_replace(renamed, file->type, self->type, 0);
	return g_string_free(renamed, FALSE);
}

static bool
write_file(const plan *self, const skeleton_file *file, const char *path)
{
	/* "x" fails if the file was created since it was looked for. */
	FILE *out = g_fopen(path, "wxe");
	bool good = out != NULL;

	for (size_t i = 0; good && file->lines[i] != NULL; i++) {
		g_autofree char *line = rename_in(self, file, file->lines[i]);

		good = fprintf(out, "%s\n", line) > 0;
	}
	if (out != NULL && fclose(out) != 0)
		good = false;
	if (good)
		message_print(stdout, "%s\n", path);
	else
		message_error("%s: %s", path, g_strerror(errno));
	return good;
}

/* Writes the files, or unless 'writes' looks whether one of them exists. */
static int
go_through(const plan *self, bool writes)
{
	GStatBuf found;

	for (const skeleton_file *file = skeleton_files; file->kind != NULL; file++) {
		g_autofree char *name = rename_in(self, file, file->name);
		g_autofree char *path = g_build_filename(self->directory, name, NULL);

		if (strcmp(file->kind, self->kind) != 0)
			continue;
		if (writes && !write_file(self, file, path))
			return STATUS_ERROR;
		if (!writes && g_lstat(path, &found) == 0) {
			message_error("%s: the file exists; nothing was written", path);
			return STATUS_BAD;
		}
	}
	return STATUS_GOOD;
}

static int
make_module(const plan *self)
{
	if (go_through(self, false) != STATUS_GOOD)
		return STATUS_BAD;
	if (g_mkdir_with_parents(self->directory, 0777) != 0) {
		message_error("%s: %s", self->directory, g_strerror(errno));
		return STATUS_ERROR;
	}
	return go_through(self, true);
}

/*
 * Refuses a type that exists: only the first module found is used, and an installation may
 * replace the other.
 */
static bool
is_new(const common_options *common, const module_place *place)
{
	g_autofree char *found = place_find(place, common);

	if (found != NULL)
		message_error("the %s '%s' exists already: %s; a second one would hide it, or be "
		              "hidden: choose another name",
		              limen_kind_name((limen_kind)place->kind), place->type, found);
	return found == NULL;
}

/* Reads 'names', which are KIND and NAME. */
static int
read_names(const common_options *common, char **names, const char *directory)
{
	const command *self = common->self;
	module_place place;
	limen_kind kind;
	g_autofree char *word = NULL;

	if (names == NULL || names[1] == NULL)
		return message_usage(self, "a kind and a name are needed");
	if (names[2] != NULL)
		return message_usage(self, "unexpected argument '%s'", names[2]);
	if (!catalog_read_kind(self, names[0], &kind))
		return STATUS_ERROR;
	if (!place_set(&place, kind, names[1]))
		return message_usage(self, "a name consists of letters, digits and '-', begins with "
		                           "a letter and has at most %d bytes", PLACE_TYPE_MAX);
	if (!is_new(common, &place))
		return STATUS_BAD;
	word = spell_in_c(names[1]);
	return make_module(&(plan){ .kind = limen_kind_name(kind), .type = names[1],
		.directory = directory == NULL ? names[1] : directory, .word = word });
}

static int
run_new(common_options *common)
{
	char *directory = NULL;
	char **names = NULL;
	const GOptionEntry rows[] = {
		OPTION_TEXT("directory", 0, &directory, "DIR",
		            "Where to put the files (default: a directory NAME)"),
		OPTION_REST(&names),
		OPTION_END,
	};

	return options_read(common, rows) ? read_names(common, names, directory) : common->status;
}

const command module_new_command = {
	.name = "module new",
	.arguments = "KIND NAME",
	.summary = "Write the skeleton of a module",
	.details =
		"The kinds are identifier, rewriter, limit, admission, prioritizer and store.\n"
		"Writes a small module that works, a makefile, a test, a policy that uses it, a\n"
		"request and a page about it, and prints their names.  Nothing is overwritten.\n"
		"\n"
		"The exit status is 1 if one of the files, or a module of that kind and name,\n"
		"exists, and 2 for wrong usage and files that cannot be written.\n"
		"\n"
		"Example:\n"
		"  limen module new limit office-hours && make -C office-hours check\n",
	.run = run_new,
};
