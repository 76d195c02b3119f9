/* SPDX-License-Identifier: Apache-2.0 */
/* kube_model.c - all objects that the listener was told of, whatever room there is. */
#include <string.h>

#include "kube_known.h"

/* NULL: it has none, or a longer one than there are in Kubernetes. */
static const char *
get_name(limen_value object, const char *key)
{
	size_t length = 0;
	const char *text = limen_value_string(
		limen_value_get(limen_value_get(object, "metadata"), key), &length);
	bool good = text != NULL && length > 0 && length <= CLUSTER_NAME_MAX &&
	            strlen(text) == length;

	return good ? text : NULL;
}

bool
model_name(limen_value object, known *out)
{
	*out = (known){
		.namespace = (char *)(uintptr_t)get_name(object, "namespace"),
		.name = (char *)(uintptr_t)get_name(object, "name"),
	};
	return out->namespace != NULL && out->name != NULL;
}

int
model_compare(const known *one, const char *namespace, const char *name)
{
	int order = strcmp(one->namespace, namespace);

	return order != 0 ? order : strcmp(one->name, name);
}

size_t
model_find(const kube_model *model, const char *namespace, const char *name, bool *found)
{
	size_t low = 0;
	size_t high = model->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (model_compare(&model->items[middle], namespace, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < model->count &&
	         model_compare(&model->items[low], namespace, name) == 0;
	return low;
}

static void
insert(kube_model *model, size_t at, const known *one)
{
	if (model->count == model->room) {
		model->room = model->room * 2 + 16;
		model->items = reallocarray(model->items, model->room, sizeof *one);
		FUZZ_CHECK(model->items != NULL);
	}
	memmove(&model->items[at + 1], &model->items[at], (model->count - at) * sizeof *one);
	model->items[at] = (known){ strdup(one->namespace), strdup(one->name), 0, 0 };
	FUZZ_CHECK(model->items[at].namespace != NULL && model->items[at].name != NULL);
	model->count++;
}

void
model_learn(kube_model *model, limen_value object, unsigned long list)
{
	known one;
	bool named = model_name(object, &one);
	bool found;
	size_t at;
	char *text;
	size_t length = 0;

	FUZZ_CHECK(named);
	at = model_find(model, one.namespace, one.name, &found);
	if (!found)
		insert(model, at, &one);
	text = cluster_trim(object, &length);
	FUZZ_CHECK(text != NULL && strlen(text) == length);
	free(text);
	model->items[at].wanted = length > CLUSTER_OBJECT_BYTES_MAX ? 0 : length;
	model->items[at].list = list;
}

static void
release(known *one)
{
	free(one->namespace);
	free(one->name);
}

void
model_forget(kube_model *model, size_t at)
{
	release(&model->items[at]);
	model->count--;
	memmove(&model->items[at], &model->items[at + 1],
	        (model->count - at) * sizeof *model->items);
}

void
model_forget_missing(kube_model *model, unsigned long list)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->count; i++) {
		if (model->items[i].list == list)
			model->items[kept++] = model->items[i];
		else
			release(&model->items[i]);
	}
	model->count = kept;
}

void
model_clear(kube_model *model)
{
	for (size_t i = 0; i < model->count; i++)
		release(&model->items[i]);
	free(model->items);
	*model = (kube_model){ .items = NULL };
}
