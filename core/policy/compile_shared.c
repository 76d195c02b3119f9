/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_shared.c - helpers for all parts of compiling a policy: memory, and messages
 * about problems that entries of any kind can have.
 */
#include "compile.h"
#include "document/document.h"

const char *const compile_enforce_words[] = { "deny", "audit", NULL };

void *
compile_alloc(compile_context *context, size_t count, size_t size)
{
	void *room = arena_calloc(&context->policy->owned.arena, count == 0 ? 1 : count, size);

	if (room == NULL)
		compile_no_memory(context, limen_value_none());
	return room;
}

void
compile_no_memory(compile_context *context, limen_value where)
{
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where, "%s",
	               limen_result_text(LIMEN_ENOMEM));
}

void
compile_place(entry *target, limen_value where)
{
	place at = value_place(where);

	target->where = where;
	target->file = at.file;
	target->line = at.line;
}

void
compile_section(compile_context *context, section which, entry_list *entries,
                void (*compile)(compile_context *context, entry *target, limen_value value))
{
	const conf_list *list = &context->policy->files->sections[which];

	entries->items = compile_alloc(context, list->count, sizeof(*entries->items));
	if (entries->items == NULL)
		return;
	for (size_t i = 0; i < list->count; i++) {
		compile(context, &entries->items[i], list->items[i].value);
		entries->count++;
	}
}

bool
compile_is_new(compile_context *context, entry_list *known, const char *noun, const char *name,
               limen_value where)
{
	size_t same = name == NULL ? SIZE_MAX : entry_index(known, name);

	if (same != SIZE_MAX)
		compile_duplicate(context, noun, name, where, known->items[same].where);
	return name != NULL && same == SIZE_MAX;
}

void
compile_duplicate(compile_context *context, const char *noun, const char *name,
                  limen_value where, limen_value first)
{
	place other = value_place(first);

	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where, "Duplicate %s '%s'", noun,
	               name);
	if (other.file == NULL)
		limen_diag_hint(context->diag, "the first is in line %u", other.line);
	else
		limen_diag_hint(context->diag, "the first is in %s line %u", other.file,
		                other.line);
}

limen_value
compile_data(compile_context *context, limen_value data, limen_value where)
{
	document *doc;

	if (limen_value_exists(data) || limen_value_type(where) != LIMEN_TYPE_OBJECT)
		return data;
	doc = document_empty(where);
	if (options_keep(&context->policy->owned, doc))
		return document_root(doc);
	compile_no_memory(context, where);
	return data;
}
