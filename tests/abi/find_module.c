/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find_module.c - find_module DIRECTORY KIND TYPE: loads one module through the
 * engine and prints what it found, or the problems with their hints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/limen.h>

static void
print_module(void *data, const limen_module_info *info)
{
	(void)data;
	printf("%s/%s %s, ABI %u.%u: %s\n", limen_kind_name(info->kind), info->type, info->version,
	       info->abi_major, info->abi_minor, info->summary);
	for (size_t i = 0; limen_module_option(info, i) != NULL; i++) {
		const limen_option *row = limen_module_option(info, i);

		printf("%s: %s (%s)\n", row->key, row->help, row->note == NULL ? "-" : row->note);
	}
}

static limen_kind
find_kind(const char *name)
{
	int kind = LIMEN_KIND_IDENTIFIER;

	while (kind < LIMEN_KIND_STORE && strcmp(limen_kind_name((limen_kind)kind), name) != 0)
		kind++;
	return (limen_kind)kind;
}

int
main(int argc, char **argv)
{
	limen_engine_options options = { .size = sizeof(options), .flags = LIMEN_ENGINE_PASSIVE };
	limen_diag *diag = limen_diag_new();
	limen_engine *engine;
	int result;

	if (argc != 4)
		return 99;
	options.module_path = argv[1];
	engine = limen_engine_new(&options);
	result = limen_engine_find_module(engine, find_kind(argv[2]), argv[3], print_module, NULL,
	                                  diag);
	for (size_t i = 0; limen_diag_get(diag, i) != NULL; i++) {
		const limen_problem *problem = limen_diag_get(diag, i);

		printf("%s\n", problem->text);
		if (problem->hint != NULL)
			printf("hint: %s\n", problem->hint);
	}
	if (result != LIMEN_OK)
		printf("%s\n", limen_result_text(result));
	limen_engine_free(engine);
	limen_diag_free(diag);
	return result == LIMEN_OK ? 0 : 1;
}
