/* SPDX-License-Identifier: Apache-2.0 */
/*
 * configuration.c - the Configurations of an entry: its own data, and what came
 * in files.  All their limits together are enforced, in the order they stand.
 */
#include "event_rate_limit.h"

#define API_VERSION "eventratelimit.admission.k8s.io/v1alpha1"

/* "enabled" is what turns off any file of a policy. */
static const char *const known_keys[] = { "apiVersion", "kind", "limits", "enabled", NULL };

static void
read_limit(rate_reader *reader, event_rate_limit *self, limen_value object, size_t index)
{
	rate_place at = { "limits", index, false };
	rate made;

	if (!rate_read(reader, &made, object, &at))
		return;
	if (event_rate_limit_has(self, made.type)) {
		rate_refuse_duplicate(reader, &made, object, &at);
		return;
	}
	self->rates[self->rate_count++] = made;
	if (made.type == LIMIT_SOURCE_AND_OBJECT)
		limen_diag_add(reader->diag, LIMEN_SEVERITY_NOTE, limen_value_get(object, "type"),
		               "Kubernetes joins the fields of such a key, so that different "
		               "sources may share a bucket; limen keeps them separate");
}

static void
read_limits(rate_reader *reader, event_rate_limit *self, limen_value limits, limen_value where)
{
	limen_type type = limen_value_type(limits);
	limen_value object;
	size_t index = 0;

	if (type != LIMEN_TYPE_NONE && type != LIMEN_TYPE_NULL && type != LIMEN_TYPE_ARRAY) {
		REFUSE(reader, limits, "limits: must be an array");
		return;
	}
	if (limen_value_count(limits) == 0) {
		REFUSE(reader, where, "limits: Invalid value: %s: must not be empty",
		       type == LIMEN_TYPE_ARRAY ? "[]" : "null");
		return;
	}
	for (limen_iter iter = limen_iter_start(limits); limen_iter_next(&iter, NULL, &object);)
		read_limit(reader, self, object, index++);
}

/* Reports a member that does not say what a Configuration says. */
static bool
check_member(rate_reader *reader, limen_value object, const char *key, const char *wanted)
{
	limen_value value = limen_value_get(object, key);

	if (limen_value_is(value, wanted))
		return true;
	REFUSE(reader, limen_value_exists(value) ? value : object,
	       "the %s of a manifest for EventRateLimit must be \"%s\"", key, wanted);
	return false;
}

static void
read_manifest(rate_reader *reader, event_rate_limit *self, limen_value object)
{
	limen_value limits = limen_value_get(object, "limits");

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, object, "must be a Configuration of EventRateLimit");
		return;
	}
	if (!check_member(reader, object, "kind", "Configuration") ||
	    !check_member(reader, object, "apiVersion", API_VERSION))
		return;
	rate_warn_unknown(reader, object, known_keys, "");
	read_limits(reader, self, limits, limen_value_exists(limits) ? limits : object);
}

static void
read_manifests(rate_reader *reader, event_rate_limit *self)
{
	limen_iter iter = limen_iter_start(self->manifests);
	limen_value object;

	if (limen_value_type(self->manifests) != LIMEN_TYPE_ARRAY) {
		read_manifest(reader, self, self->manifests);
		return;
	}
	while (limen_iter_next(&iter, NULL, &object))
		read_manifest(reader, self, object);
}

/* The plugin of kube-apiserver has no opinion about them. */
static void
note_groups(rate_reader *reader, const event_rate_limit *self, const limen_opening *opening)
{
	limen_value where = limen_value_exists(self->limits) ? self->limits : self->manifests;
	limen_value limits = limen_value_get(limen_value_at(where, 0), "limits");

	if (limen_value_exists(limen_opening_option(opening, "groups")))
		return;
	limen_diag_add(reader->diag, LIMEN_SEVERITY_NOTE,
	               limen_value_exists(limits) ? limits : where,
	               "Kubernetes does not limit events that are sent to events.k8s.io; limen does, "
	               "unless an admission entry sets \"groups\": \"core\"");
}

void
configuration_read(rate_reader *reader, event_rate_limit *self, const limen_opening *opening)
{
	limen_type type = limen_value_type(self->manifests);
	bool has_manifests = type == LIMEN_TYPE_ARRAY ? limen_value_count(self->manifests) > 0
	                                              : type != LIMEN_TYPE_NONE;

	if (limen_value_exists(self->limits) || !has_manifests)
		read_limits(reader, self, self->limits,
		            limen_value_exists(self->limits) ? self->limits
		                                             : limen_opening_data(opening));
	if (limen_value_exists(self->manifests))
		read_manifests(reader, self);
	if (reader->result == LIMEN_OK)
		note_groups(reader, self, opening);
}
