/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - the objects in a document: itself, or the items of lists, and behind each workload
 * the pods and claims that its controllers would make.
 */
#ifndef LIMEN_PROGRAM_OBJECTS_H
#define LIMEN_PROGRAM_OBJECTS_H

#include <limen/engine.h>
#include <limen/template.h>
#include <stdbool.h>

/* An object, good for the call that takes it. */
typedef struct found_object {
	limen_value value;  /* where it stands: the object, an AdmissionReview, or a template */
	const char *api;    /* what it says, or else its list, as 'kind'; NULL: neither does */
	const char *kind;
	const char *label;  /* Deployment "web"; Deployment "web", pods of spec.template; NULL: a review */
	const char *field;  /* prefix of its field names: "", "spec.template." */
	const limen_template *template; /* NULL: it stands as it is */
} found_object;

typedef struct object_walk {
	limen_engine *engine; /* with the policy that names kinds of workloads */
	bool whole;           /* workloads are taken without their pods and claims */
	bool (*take)(void *data, const found_object *found); /* false ends the walk */
	void *data;
	limen_diag *diag;     /* problems, and warnings of keys that are probably misspelt */
	/* Private. */
	const char *label; /* of the object that was taken last */
	unsigned depth;    /* in lists */
	bool ended;
} object_walk;

/* Takes the objects of 'value'; 'api' and 'kind' are what its list says of it, or NULL. */
void objects_walk(object_walk *walk, limen_value value, const char *api, const char *kind);

#endif
