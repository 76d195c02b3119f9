/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store_case.h - policies over the store "fake", which never refills, and a
 * look inside it.
 */
#ifndef LIMEN_TESTS_CORE_STORE_CASE_H
#define LIMEN_TESTS_CORE_STORE_CASE_H

#include <stdio.h>

#include "../modules/store/fake.h"
#include "policy_case.h"
#include "module/store.h"

static limen_engine *engine;

/* Loads a policy with 'stores' and one application over 'limits', whose names are 'names'. */
static inline char *
policy_text(const char *stores, const char *limits, const char *names)
{
	char *text;

	if (asprintf(&text,
	             "{\"schema\": 4, " EVERYBODY ",\n\"stores\": {%s},\n\"limits\": [%s],"
	             "\n\"applications\": [{\"apply\": [{\"require\": \"all\","
	             " \"limits\": [%s]}]}]}",
	             stores, limits, names) < 0)
		return NULL;
	return text;
}

static inline void
load(const char *stores, const char *limits, const char *names)
{
	char *text = policy_text(stores, limits, names);

	policy_case_load(engine, text);
	free(text);
}

static inline void
refuse(const char *stores, const char *limits, const char *names, const char *problems)
{
	char *text = policy_text(stores, limits, names);

	policy_case_refuse(engine, text, LIMEN_ECONFIG, problems);
	free(text);
}

static inline const struct fake *
store(size_t index)
{
	return engine->current->stores.items[index].instance->self;
}

/* The table 'name' of the first store. */
static inline const struct fake_table *
table(const char *name)
{
	const struct fake_table *found = store(0)->state->tables;

	while (found != NULL && strcmp(found->name, name) != 0)
		found = found->next;
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	return found;
}

/*
 * Decides once; says whether the task was admitted and what was noted when limits were
 * asked for the 'asked'-th time.
 */
static inline bool
decide_noting(bool dry_run, size_t asked, char notes[200])
{
	limen_decision *decision = policy_case_decide(engine, 0, dry_run);
	bool admitted = limen_decision_admitted(decision);
	const limen_trace *trace = limen_decision_trace(decision, asked);

	notes[0] = '\0';
	for (size_t i = 0; trace != NULL && i < trace->note_count; i++) {
		strcat(notes, i == 0 ? "" : "; ");
		strcat(notes, trace->notes[i]);
	}
	limen_decision_free(decision);
	return admitted;
}

static inline bool
decide(bool dry_run, char notes[200])
{
	return decide_noting(dry_run, 1, notes);
}

#define FAKE "\"s\": {\"type\": \"fake\"}"
#define TAKE(name, data) \
	"{\"name\": \"" name "\", \"type\": \"take\", \"data\": {\"store\": \"s\"" data "}}"
#define TAKE_DEFAULT(name, data) \
	"{\"name\": \"" name "\", \"type\": \"take\", \"data\": {" data "}}"
#define NO "{\"name\": \"no\", \"type\": \"pass-fail\", \"data\": {\"pass\": false}}"
#define CANNOT "{\"name\": \"cannot\", \"type\": \"verdict\", \"data\": {\"verdict\": \"error\"}}"

static inline void
start(void)
{
	limen_engine_free(engine);
	engine = policy_case_engine(0);
}

#endif
