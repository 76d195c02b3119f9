/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_describe.c - describes the loaded policy for operators and consoles.
 */
#include "engine.h"
#include "policy/policy.h"
#include "module/module.h"

/*
 * Adds the object 'own', which a module wrote into, and frees it.  It has a builder of its
 * own: a module that leaves it invalid loses its own status and nothing else.
 */
static void
add_own(limen_builder *build, const char *key, limen_builder *own)
{
	limen_value value;

	limen_builder_end(own);
	value = limen_builder_finish(own);
	if (limen_value_exists(value)) {
		limen_builder_value(build, key, value);
	} else {
		limen_builder_object(build, key);
		limen_builder_text(build, "error",
		                   "memory was short, or the module wrote an invalid status");
		limen_builder_end(build);
	}
	limen_builder_free(own);
}

static void
describe_status(limen_builder *build, const instance *inst)
{
	const limen_module_head *head = &inst->module->descriptor.head;

	limen_builder *own = limen_builder_new();

	limen_builder_object(own, NULL);
	if (head->status != NULL) {
		instance_enter(inst);
		head->status(inst->self, own);
		instance_leave(inst);
	}
	host_report(inst->host, own);
	add_own(build, "status", own);
}

/* The tables an entry counts in, with what their stores say of them. */
static void
describe_tables(limen_builder *build, const instance *inst)
{
	if (inst->tables == NULL)
		return;
	limen_builder_object(build, "tables");
	for (const limen_table *table = inst->tables; table != NULL; table = table->next) {
		const instance *keeper = table->store->instance;
		const limen_store_module *type = &keeper->module->descriptor.store;
		limen_builder *own = limen_builder_new();

		limen_builder_object(own, NULL);
		limen_builder_text(own, "store", keeper->name);
		if (type->table_status != NULL) {
			instance_enter(keeper);
			type->table_status(keeper->self, table->table, own);
			instance_leave(keeper);
		}
		add_own(build, table->spec.name, own);
	}
	limen_builder_end(build);
}

/* All that entries of every kind have; more may follow. */
static void
begin_entry(limen_builder *build, const entry *item)
{
	const limen_module_head *head = &item->instance->module->descriptor.head;

	limen_builder_object(build, item->name);
	limen_builder_text(build, "type", item->type);
	limen_builder_text(build, "version", head->version == NULL ? "" : head->version);
	if (item->description != NULL)
		limen_builder_text(build, "description", item->description);
	limen_builder_bool(build, "invert", item->invert);
	if (item->observes)
		limen_builder_text(build, "enforce", "audit");
	if (item->file != NULL)
		limen_builder_text(build, "file", item->file);
	limen_builder_int(build, "line", item->line);
	describe_status(build, item->instance);
	describe_tables(build, item->instance);
}

/* Adds nothing for NULL: a policy may have no rewriter and no prioritizer. */
static void
describe_entry(limen_builder *build, const entry *item)
{
	if (item == NULL)
		return;
	begin_entry(build, item);
	limen_builder_end(build);
}

static void
describe_entries(limen_builder *build, const char *name, const policy *current,
                 const entry_list *list)
{
	limen_builder_object(build, name);
	for (size_t i = 0; i < list->count; i++) {
		begin_entry(build, &list->items[i]);
		if (list != &current->stores)
			policy_describe_counts(build, current, list->items[i].rule,
			                       list == &current->identifiers);
		limen_builder_end(build);
	}
	limen_builder_end(build);
}

static void
describe_admission(limen_builder *build, const policy *current)
{
	limen_builder_object(build, "admission");
	for (size_t i = 0; i < current->admission.count; i++) {
		const entry *item = &current->admission.items[i];

		begin_entry(build, item);
		policy_describe_rule(build, current, &current->admission_rules[i]);
		policy_describe_counts(build, current, item->rule, false);
		limen_builder_end(build);
	}
	limen_builder_end(build);
}

static void
describe_templates(limen_builder *build, const policy *current)
{
	limen_builder_array(build, "templates");
	for (size_t i = 0; i < current->template_count; i++) {
		limen_builder_object(build, NULL);
		limen_builder_text(build, "group", current->templates[i].group);
		limen_builder_text(build, "kind", current->templates[i].kind);
		limen_builder_text(build, "path", current->templates[i].path);
		limen_builder_end(build);
	}
	limen_builder_end(build);
}

static void
describe_policy(limen_builder *build, const policy *current)
{
	limen_builder_object(build, "files");
	for (size_t i = 0; i < current->files->file_count; i++)
		limen_builder_bool(build, current->files->files[i].name, true);
	limen_builder_end(build);
	limen_builder_int(build, "schema", conf_schema(current->files));
	describe_entries(build, "identifiers", current, &current->identifiers);
	policy_describe_classifiers(build, current);
	describe_entry(build, current->rewriter);
	describe_entries(build, "limits", current, &current->limits);
	describe_admission(build, current);
	describe_templates(build, current);
	limen_builder_int(build, "applications", (int64_t)current->application_count);
	limen_builder_bool(build, "applications-on-objects", current->applies_to_objects);
	policy_describe_applications(build, current);
	describe_entry(build, current->prioritizer);
	describe_entries(build, "stores", current, &current->stores);
}

static limen_builder *
describe(limen_engine *engine)
{
	limen_builder *build = limen_builder_new();

	limen_builder_object(build, NULL);
	limen_builder_bool(build, "ready", engine->current != NULL);
	limen_builder_int(build, "loads", (int64_t)engine->loads);
	if (engine->last_error != NULL)
		limen_builder_text(build, "error", engine->last_error);
	if (engine->current != NULL) {
		limen_timestamp loaded = { .time = engine->loaded_at };
		char text[LIMEN_TIMESTAMP_TEXT_MAX];

		limen_timestamp_print(&loaded, text);
		limen_builder_text(build, "loaded", text);
		describe_policy(build, engine->current);
	}
	limen_builder_end(build);
	return build;
}

char *
limen_engine_describe(limen_engine *engine, unsigned flags, size_t *length)
{
	limen_builder *build;
	char *text;

	if (engine == NULL)
		return NULL;
	pthread_mutex_lock(&engine->control);
	build = describe(engine);
	pthread_mutex_unlock(&engine->control);
	text = limen_value_to_json(limen_builder_finish(build), flags, length);
	limen_builder_free(build);
	return text;
}

/* ---- counters ---- */

typedef struct counting {
	void (*each)(void *data, const limen_counted *count);
	void *data;
	const entry *owner;
} counting;

static void
tell_counter(void *data, const char *name, int64_t value)
{
	const counting *self = data;

	self->each(self->data, &(limen_counted){ self->owner->name, self->owner->type, name, value });
}

int
limen_engine_each_counter(limen_engine *engine, void (*each)(void *data, const limen_counted *count),
                          void *data)
{
	counting self = { .each = each, .data = data };
	policy_reader *reader;
	policy *loaded;

	if (engine == NULL || each == NULL)
		return LIMEN_EINVAL;
	loaded = engine_hold(engine, &reader);
	if (loaded == NULL)
		return LIMEN_ENOPOLICY;
	for (size_t i = 0; (self.owner = policy_entry(loaded, i)) != NULL; i++)
		if (self.owner->instance != NULL)
			host_each_counter(self.owner->instance->host, tell_counter, &self);
	engine_release(loaded, reader);
	return LIMEN_OK;
}
