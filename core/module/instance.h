/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance.h - one use of a module by one entry of a policy: its memory,
 * filled from the options; the files it read; the tables it opened.
 *
 * Instances are counted: a reload carries an instance over to the next policy
 * when nothing about it has changed.  They are made and released on threads
 * that load policies, never on one that decides.
 */
#ifndef LIMEN_CORE_MODULE_INSTANCE_H
#define LIMEN_CORE_MODULE_INSTANCE_H

#include <pthread.h>

#include "base/cleanup.h"
#include "document/document.h"
#include "host/host.h"
#include "descriptor.h"
#include "setting.h"

/* A file or directory that was read during 'open'; the instance is stale when it changes. */
typedef struct input {
	struct input *next;
	const char *path;
	uint64_t hash;
	size_t length; /* of a directory: the number of its files */
	bool missing;
	bool directory; /* 'hash' is that of the names of its files */
} input;

/* Is the file or directory unchanged since it was read? */
bool input_is_fresh(const input *known);

/* A classifier the module asks requests about. */
typedef struct classifier_use {
	struct classifier_use *next;
	const char *name;
} classifier_use;

/* A header of HTTP requests that the module reads. */
typedef struct header_use {
	struct header_use *next;
	const char *name;
	bool secret; /* logs must not have its value */
} header_use;

typedef struct instance {
	unsigned references; /* guarded by the engine's control lock */
	const module *module;
	const char *section; /* "identifiers", ... */
	const char *name;
	document *data; /* the entry's, and nothing else of the policy */
	cleanup owned;  /* what fields of 'self' point to */
	void *self;
	uint64_t flags; /* LIMEN_MODULE_* */
	bool is_foreign; /* conf.h */
	pthread_mutex_t serialize;
	input *inputs;
	setting_use *settings;
	limen_host *host;
	limen_table *tables;        /* opened by it; store.h */
	struct store_use *uses;     /* the stores its options name */
	classifier_use *classifiers;
	unsigned http_parts;        /* LIMEN_HTTP_* that it reads */
	bool tells_http;            /* 'open' has said so; else they are the usual ones */
	header_use *headers;
	limen_store *store;         /* of a store: what others hold */
} instance;

/* The context shared by all instances of one load. */
typedef struct instance_context {
	background *background;      /* runs the jobs of their hosts */
	struct tried_inputs *tried;  /* receives the inputs of a failed 'open' */
	limen_diag *diag;
	limen_store *(*find_store)(void *data, const char *name, limen_value where);
	/* Is there such a classifier?  Reports at 'where', unless that is none.  May be NULL. */
	bool (*find_classifier)(void *data, const char *name, limen_value where);
	void *find_data;
	const conf *files; /* of the policy being loaded */
	const instance *predecessor; /* of the same entry and module, in force; may be NULL */
} instance_context;

/* An entry's description of its instance; texts are copied. */
typedef struct instance_wish {
	const module *module;
	const char *section;
	const char *name;
	limen_value data;
} instance_wish;

/*
 * Makes an instance of 'wish' and opens it.  Returns it with one reference, or
 * NULL with a problem reported.
 */
instance *instance_new(const instance_wish *wish, const instance_context *context);

/* Could 'old' serve 'wish' as it is: same module, section, name, data, inputs and stores? */
bool instance_fits(const instance *old, const instance_wish *wish, const instance_context *context);

instance *instance_ref(instance *inst);
void instance_unref(instance *inst); /* closes the last one; NULL is fine */

/* Locks around a method call when the module asks for it. */
void instance_enter(const instance *inst);
void instance_leave(const instance *inst);

#endif
