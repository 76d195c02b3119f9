/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chain.c - the admission plugin that does as its data says: changes to make,
 * violations to find, verdicts to give.
 */
#include <limen/module.h>
#include <limen/version.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct chain {
	int mutate;
	int validate;
	const char *reason;
	limen_value set;
	limen_strings remove;
	limen_value document;
	limen_value violations;
	const char *warning;
	const char *audit;
	const char *asks;
	bool show;
	bool misuse;
	limen_duration retry_after;
	limen_duration sleep;
};

static const char *const words[] = { "error", "pass", "fail", "skip", "odd", NULL };

static const char *const class_words[] = { "forbidden", "rate", "invalid", NULL };

static const limen_option options[] = {
	LIMEN_OPT_ENUM(struct chain, mutate, .key = "mutate", .choices = words,
	               .fallback = "pass", .help = "What mutate answers"),
	LIMEN_OPT_ENUM(struct chain, validate, .key = "validate", .choices = words,
	               .fallback = "pass", .help = "What validate answers"),
	LIMEN_OPT_STRING(struct chain, reason, .key = "reason", .help = "Why"),
	LIMEN_OPT_OBJECT(struct chain, set, .key = "set",
	                 .help = "Pointers and what mutate puts there"),
	LIMEN_OPT_STRINGS(struct chain, remove, .key = "remove",
	                  .help = "Pointers that mutate removes"),
	LIMEN_OPT_JSON(struct chain, document, .key = "document",
	               .help = "The document that mutate makes"),
	LIMEN_OPT_JSON(struct chain, violations, .key = "violations",
	               .help = "Violations, each an array of class, field and message"),
	LIMEN_OPT_STRING(struct chain, warning, .key = "warning", .help = "A warning"),
	LIMEN_OPT_STRING(struct chain, audit, .key = "audit",
	                 .help = "The value of the annotation 'chain'"),
	LIMEN_OPT_STRING(struct chain, asks, .key = "asks",
	                 .help = "A classifier whose members validate admits"),
	LIMEN_OPT_BOOL(struct chain, show, .key = "show",
	               .help = "Whether to note the document that is seen"),
	LIMEN_OPT_BOOL(struct chain, misuse, .key = "misuse",
	               .help = "Whether violations go with any verdict, and validate changes too"),
	LIMEN_OPT_DURATION(struct chain, retry_after, .key = "retry-after",
	                   .help = "When to come again"),
	LIMEN_OPT_DURATION(struct chain, sleep, .key = "sleep",
	                   .help = "How long mutate thinks"),
	LIMEN_OPT_END
};

static int
open_chain(void *self, limen_opening *opening, limen_diag *diag)
{
	const struct chain *chain = self;

	if (chain->asks == NULL)
		return LIMEN_OK;
	return limen_opening_use_classifier(opening, chain->asks,
	                                    limen_opening_option(opening, "asks"), diag);
}

static void
think(limen_duration length)
{
	struct timespec rest = {
		.tv_sec = (time_t)(length / LIMEN_SECOND),
		.tv_nsec = (long)(length % LIMEN_SECOND) * 1000,
	};

	nanosleep(&rest, NULL);
}

static limen_value
find(const limen_request *req, const char *pointer, size_t length)
{
	limen_value found = limen_value_none();
	limen_path *path;

	if (limen_path_new(pointer, length, &path) == LIMEN_OK) {
		found = limen_request_find(req, path);
		limen_path_free(path);
	}
	return found;
}

/* The key of 'pointer' is taken as it is: no case needs escapes in it. */
static void
set_one(const limen_request *req, const char *pointer, limen_value value, limen_reply *reply)
{
	const char *slash = strrchr(pointer, '/');
	size_t length = slash == NULL ? 0 : (size_t)(slash - pointer);

	limen_reply_set_value(reply, find(req, pointer, length), slash == NULL ? "" : slash + 1,
	                      value);
}

static void
make_changes(const struct chain *chain, const limen_request *req, limen_reply *reply)
{
	limen_iter iter = limen_iter_start(chain->set);
	limen_value pointer, value;

	while (limen_iter_next(&iter, &pointer, &value))
		set_one(req, limen_value_string(pointer, NULL), value, reply);
	for (size_t i = 0; i < chain->remove.count; i++)
		limen_reply_remove(reply, find(req, chain->remove.items[i],
		                               strlen(chain->remove.items[i])));
	if (limen_value_exists(chain->document)) {
		size_t length = 0;
		char *text = limen_value_to_json(chain->document, 0, &length);

		limen_reply_replace(reply, text == NULL ? "" : text, length);
		free(text);
	}
}

static void
find_violations(const struct chain *chain, limen_reply *reply)
{
	limen_iter iter = limen_iter_start(chain->violations);
	limen_value one;

	while (limen_iter_next(&iter, NULL, &one)) {
		int class = 0;

		while (class_words[class] != NULL &&
		       !limen_value_is(limen_value_at(one, 0), class_words[class]))
			class++;
		limen_reply_violation(reply, (limen_class)class,
		                      limen_value_string(limen_value_at(one, 1), NULL), "%s",
		                      limen_value_string(limen_value_at(one, 2), NULL));
	}
}

static void
speak(const struct chain *chain, const limen_request *req, limen_reply *reply)
{
	if (chain->show) {
		char *seen = limen_value_to_json(limen_request_document(req), 0, NULL);

		limen_reply_note(reply, "%s", seen == NULL ? "" : seen);
		free(seen);
	}
	if (chain->warning != NULL)
		limen_reply_warning(reply, "%s", chain->warning);
	if (chain->audit != NULL)
		limen_reply_audit(reply, "chain", "%s", chain->audit);
}

static limen_verdict
answer(const struct chain *chain, int word, limen_reply *reply)
{
	if (word != LIMEN_PASS && word != LIMEN_SKIP && chain->reason != NULL)
		limen_reply_reason(reply, "%s", chain->reason);
	if (word == LIMEN_FAIL || chain->misuse)
		find_violations(chain, reply);
	if (word == LIMEN_FAIL) {
		if (chain->retry_after > 0)
			limen_reply_retry_after(reply, chain->retry_after);
	}
	return (limen_verdict)word;
}

static limen_verdict
mutate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct chain *chain = self;

	if (chain->sleep > 0)
		think(chain->sleep);
	make_changes(chain, req, reply);
	speak(chain, req, reply);
	return answer(chain, chain->mutate, reply);
}

static limen_verdict
validate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct chain *chain = self;

	if (chain->misuse)
		make_changes(chain, req, reply);
	if (chain->show)
		speak(chain, req, reply);
	if (chain->asks != NULL && limen_request_has_classifier(req, chain->asks))
		return LIMEN_PASS;
	return answer(chain, chain->validate, reply);
}

LIMEN_ADMISSION("chain",
	.version = LIMEN_VERSION,
	.summary = "Does as its data says",
	.options = options,
	.instance_size = sizeof(struct chain),
	.open = open_chain,
	.mutate = mutate,
	.validate = validate);
