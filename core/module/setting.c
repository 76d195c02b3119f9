/* SPDX-License-Identifier: Apache-2.0 */
/* setting.c - settings as modules read them. */
#include "setting.h"

#include "open_context.h"

limen_value
setting_find(const conf *files, const char *key)
{
	const conf_list *list = &files->sections[SECTION_SETTINGS];
	limen_value found = limen_value_none();

	for (size_t i = 0; i < list->count; i++)
		if (limen_value_is(list->items[i].key, key))
			found = list->items[i].value;
	return found;
}

bool
setting_same(const setting_use *uses, const conf *files)
{
	for (const setting_use *use = uses; use != NULL; use = use->next) {
		limen_value now = setting_find(files, use->key);

		if ((use->value != NULL) != limen_value_exists(now) ||
		    (use->value != NULL && !limen_value_equal(document_root(use->value), now)))
			return false;
	}
	return true;
}

void
setting_release(setting_use *uses)
{
	for (; uses != NULL; uses = uses->next)
		document_unref(uses->value);
}

int
limen_opening_setting(limen_opening *opening, const char *key, limen_value *out)
{
	instance *inst;
	setting_use *use;
	limen_value now;

	if (opening == NULL || key == NULL || out == NULL)
		return LIMEN_EINVAL;
	inst = opening->instance;
	use = arena_calloc(&inst->owned.arena, 1, sizeof(*use));
	now = setting_find(opening->files, key);
	if (use != NULL)
		use->key = arena_strdup(&inst->owned.arena, key);
	if (use == NULL || use->key == NULL)
		return LIMEN_ENOMEM;
	if (limen_value_exists(now)) {
		use->value = document_copy(now);
		if (use->value == NULL)
			return LIMEN_ENOMEM;
	}
	use->next = inst->settings;
	inst->settings = use;
	*out = use->value == NULL ? limen_value_none() : document_root(use->value);
	return LIMEN_OK;
}
