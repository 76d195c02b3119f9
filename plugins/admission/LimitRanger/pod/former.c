/* SPDX-License-Identifier: Apache-2.0 */
/*
 * former.c - reads an earlier version of a pod and finds its containers by name.  Containers
 * are sorted once (init containers last) and found by binary search.
 */
#include "../limit_ranger.h"

#include <stdlib.h>
#include <string.h>

static int
compare_containers(const container *a, const container *b)
{
	size_t a_length = 0;
	size_t b_length = 0;
	const char *a_name = limen_value_string(a->name, &a_length);
	const char *b_name = limen_value_string(b->name, &b_length);

	if (a->init != b->init)
		return a->init ? 1 : -1;
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return a_length == 0 ? 0 : memcmp(a_name, b_name, a_length);
}

static int
compare_pointers(const void *a, const void *b)
{
	return compare_containers(*(const container *const *)a, *(const container *const *)b);
}

int
former_read(former *out, const limen_request *req, limen_value document, bool is_pod)
{
	size_t count;
	int result;

	out->pod.count = 0;
	if (limen_value_type(document) != LIMEN_TYPE_OBJECT)
		return LIMEN_OK;
	result = is_pod ? pod_read(&out->pod, req, document, NULL)
	                : claim_read(&out->pod, req, document, NULL);
	count = out->pod.count;
	if (result == LIMEN_OK)
		out->by_name = limen_request_alloc(req, count * sizeof *out->by_name);
	if (result == LIMEN_OK && out->by_name == NULL)
		result = LIMEN_ENOMEM;
	if (result != LIMEN_OK) {
		pod_clear(&out->pod);
		return result == LIMEN_EINVAL ? LIMEN_OK : result;
	}
	for (size_t i = 0; i < count; i++)
		out->by_name[i] = &out->pod.containers[i];
	qsort(out->by_name, count, sizeof *out->by_name, compare_pointers);
	return LIMEN_OK;
}

void
former_clear(former *before)
{
	if (before->pod.count > 0)
		pod_clear(&before->pod);
}

const container *
former_container(const former *before, const container *now)
{
	const container *const *found;

	if (before->pod.count == 0)
		return NULL;
	found = bsearch(&now, before->by_name, before->pod.count, sizeof *before->by_name,
	                compare_pointers);
	return found == NULL ? NULL : *found;
}
