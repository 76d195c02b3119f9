/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image-registry.c - an admission plugin: refuses images that are not from a listed
 * registry, and marks each object that it was asked about with an annotation.
 */
#include <stdlib.h>
#include <string.h>

#include <limen/module.h>

#define SEEN "/metadata/annotations/example.com~1image-registry"

struct image_registry {
	limen_strings registries;
};

static const limen_option image_registry_options[] = {
	LIMEN_OPT_STRINGS(struct image_registry, registries, .key = "registries",
	                  .required = true,
	                  .help = "Registries that images may come from, such as quay.io/team"),
	LIMEN_OPT_END
};

/* Makes metadata and annotations where they are missing. */
static limen_verdict
image_registry_mutate(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	limen_reply_set_string_at(reply, SEEN, "checked", strlen("checked"));
	return LIMEN_PASS;
}

static bool
is_listed(const struct image_registry *rule, const char *image)
{
	for (size_t i = 0; i < rule->registries.count; i++) {
		size_t length = strlen(rule->registries.items[i]);

		if (strncmp(image, rule->registries.items[i], length) == 0 && image[length] == '/')
			return true;
	}
	return false;
}

/* Reports each image of 'containers', a list, that is not from a listed registry. */
static limen_verdict
check_images(const struct image_registry *rule, limen_value containers, limen_reply *reply)
{
	limen_iter iter = limen_iter_start(containers);
	limen_verdict verdict = LIMEN_PASS;
	limen_value container;

	while (limen_iter_next(&iter, NULL, &container)) {
		limen_value image = limen_value_get(container, "image");
		const char *text = limen_value_string(image, NULL);
		char *field;

		if (text == NULL || is_listed(rule, text))
			continue;
		field = limen_value_field_path(image);
		limen_reply_violation(reply, LIMEN_CLASS_FORBIDDEN, field,
		                      "%s: '%s' is not from a listed registry",
		                      field == NULL ? "image" : field, text);
		free(field);
		verdict = LIMEN_FAIL;
	}
	return verdict;
}

static limen_verdict
image_registry_validate(const void *self, const limen_request *req, limen_reply *reply)
{
	static const char *const lists[] = { "initContainers", "containers",
		                             "ephemeralContainers" };
	limen_value spec = limen_value_get(limen_request_document(req), "spec");
	limen_verdict verdict = LIMEN_PASS;

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (check_images(self, limen_value_get(spec, lists[i]), reply) == LIMEN_FAIL)
			verdict = LIMEN_FAIL;
	return verdict;
}

LIMEN_ADMISSION("image-registry",
	.version = "1.0",
	.summary = "Refuses images that are not from a listed registry",
	.options = image_registry_options,
	.instance_size = sizeof(struct image_registry),
	.mutate = image_registry_mutate,
	.validate = image_registry_validate);
