/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept.c - what is kept of one LimitRange of a cluster: its name, its text, and what
 * is read of that.
 *
 * A list that says what is known already, and a reload, go on with what there is: nothing
 * is there twice, and what does not change costs nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

static bool
keep_names(cluster_kept *kept, const char *namespace, const char *name)
{
	size_t length = strlen(namespace) + 1;
	size_t more = strlen(name) + 1;

	kept->namespace = malloc(length + more);
	if (kept->namespace == NULL)
		return false;
	memcpy(kept->namespace, namespace, length);
	kept->name = kept->namespace + length;
	memcpy(kept->name, name, more);
	return true;
}

static bool
keep_text(cluster_kept *kept, const char *text, size_t length)
{
	if (limen_documents_parse("object.json", text, length, 0, &kept->owner, NULL) != LIMEN_OK)
		return false;
	kept->value = limen_documents_get(kept->owner, 0);
	kept->size = length;
	return true;
}

cluster_kept *
cluster_kept_new(const char *namespace, const char *name, const char *unfit, const char *text,
                 size_t length)
{
	cluster_kept *kept = calloc(1, sizeof *kept);

	if (kept == NULL)
		return NULL;
	atomic_init(&kept->users, 1);
	kept->unfit = unfit;
	kept->wanted = length;
	kept->read = unfit != NULL;
	if (keep_names(kept, namespace, name) && (unfit != NULL || keep_text(kept, text, length)))
		return kept;
	cluster_kept_release(kept);
	return NULL;
}

cluster_kept *
cluster_kept_share(cluster_kept *kept)
{
	atomic_fetch_add(&kept->users, 1);
	return kept;
}

cluster_kept *
cluster_kept_renew(const cluster_kept *kept)
{
	size_t length;
	char *text = cluster_trim(kept->value, &length);
	cluster_kept *made = NULL;

	if (text != NULL)
		made = cluster_kept_new(kept->namespace, kept->name, NULL, text, length);
	free(text);
	return made;
}

void
cluster_kept_release(cluster_kept *kept)
{
	if (kept == NULL || atomic_fetch_sub(&kept->users, 1) > 1)
		return;
	range_set_clear(&kept->set);
	limen_documents_free(kept->owner);
	free(kept->problem);
	free(kept->namespace);
	free(kept);
}

bool
cluster_kept_is(const cluster_kept *kept, const char *unfit, const char *text, size_t length)
{
	size_t size = 0;
	char *found;
	bool same;

	if (kept->unfit != unfit || kept->wanted != length)
		return false;
	if (unfit != NULL)
		return true;
	found = cluster_trim(kept->value, &size);
	same = found != NULL && size == length && memcmp(found, text, size) == 0;
	free(found);
	return same;
}

const char *
cluster_kept_problem(const cluster_kept *kept)
{
	return kept->unfit != NULL ? kept->unfit : kept->problem;
}
