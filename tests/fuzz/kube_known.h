/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_known.h - kube_known.c is told what changes, and checks what is kept of it:
 * kube_model.c remembers it all, kube_turns.c finds out who could be kept, too.
 */
#ifndef LIMEN_TESTS_FUZZ_KUBE_KNOWN_H
#define LIMEN_TESTS_FUZZ_KUBE_KNOWN_H

#include "../../plugins/admission/LimitRanger/cluster/cluster.h"
#include "fuzz_kube.h"

/* An object, as this fuzzer remembers it. */
typedef struct known {
	char *namespace;
	char *name;
	size_t wanted; /* bytes */
	unsigned long list;
} known;

/* ---- kube_model.c ---- */

typedef struct kube_model {
	known *items; /* in order */
	size_t count;
	size_t room;
} kube_model;

/* Stores what an object is called, borrowed; false if it is none. */
bool model_name(limen_value object, known *out);

int model_compare(const known *one, const char *namespace, const char *name);
size_t model_find(const kube_model *model, const char *namespace, const char *name, bool *found);
void model_learn(kube_model *model, limen_value object, unsigned long list);
void model_forget(kube_model *model, size_t at);

/* What a list does not name any more is gone. */
void model_forget_missing(kube_model *model, unsigned long list);
void model_clear(kube_model *model);

/* ---- kube_turns.c ---- */

/* Is there one that is not served whose turn it is? */
bool turns_text_due(const cluster_objects *objects);

/* Is there one of which nothing is kept, and room for all there is? */
bool turns_names_fit(const cluster_objects *objects);

#endif
