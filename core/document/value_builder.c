/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_builder.c - the public builder of values: keys and checks around the builder of
 * documents.  It owns that builder, and then the finished document.
 */
#include <limen/builder.h>
#include <math.h>

#include "base/recycle.h"
#include "document_layout.h"
#include "scalar/scalar.h"
#include "value_repr.h"

struct limen_builder {
	builder *build; /* NULL once finished */
	document *made; /* NULL until finished, and after a failure */
};

limen_builder *
limen_builder_new(void)
{
	limen_builder *self = recycle_zeroed(sizeof(*self));

	if (self == NULL)
		return NULL;
	self->build = builder_new();
	if (self->build != NULL)
		return self;
	recycle_free(self);
	return NULL;
}

void
limen_builder_free(limen_builder *self)
{
	if (self == NULL)
		return;
	builder_free(self->build);
	document_unref(self->made);
	recycle_free(self);
}

/* Adds 'key' and returns the builder for its value; NULL if nothing can be added. */
static builder *
begin_value(limen_builder *self, const char *key)
{
	builder *build = self == NULL ? NULL : self->build;

	if (build == NULL)
		return NULL;
	if (builder_wants_key(build) != (key != NULL)) {
		builder_fail(build);
		return NULL;
	}
	if (key != NULL)
		builder_repaired(build, key);
	return build;
}

void
limen_builder_object(limen_builder *self, const char *key)
{
	builder *build = begin_value(self, key);

	if (build != NULL)
		builder_begin_object(build, ORIGIN_NONE, 0);
}

void
limen_builder_array(limen_builder *self, const char *key)
{
	builder *build = begin_value(self, key);

	if (build != NULL)
		builder_begin_array(build, ORIGIN_NONE, 0);
}

void
limen_builder_end(limen_builder *self)
{
	if (self != NULL && self->build != NULL)
		builder_end(self->build);
}

void
limen_builder_string(limen_builder *self, const char *key, const char *text, size_t length)
{
	builder *build = begin_value(self, key);

	if (build == NULL)
		return;
	if ((text == NULL && length > 0) || utf8_valid(text, length) < length)
		builder_fail(build);
	else
		builder_string(build, ORIGIN_NONE, 0, text == NULL ? "" : text, length);
}

void
limen_builder_text(limen_builder *self, const char *key, const char *text)
{
	builder *build = begin_value(self, key);

	if (build == NULL)
		return;
	if (text == NULL)
		builder_null(build, ORIGIN_NONE, 0);
	else
		builder_repaired(build, text);
}

void
limen_builder_int(limen_builder *self, const char *key, int64_t value)
{
	builder *build = begin_value(self, key);
	char text[NUMBER_INT_MAX];

	if (build != NULL)
		builder_number(build, ORIGIN_NONE, 0, text, number_write_int(value, text));
}

void
limen_builder_real(limen_builder *self, const char *key, double value)
{
	builder *build = begin_value(self, key);
	strbuf text = STRBUF_INIT;

	if (build == NULL)
		return;
	value_repr_real(&text, value);
	if (text.failed || !isfinite(value))
		builder_fail(build);
	else
		builder_number(build, ORIGIN_NONE, 0, text.text, text.length);
	strbuf_free(&text);
}

void
limen_builder_bool(limen_builder *self, const char *key, bool value)
{
	builder *build = begin_value(self, key);

	if (build != NULL)
		builder_bool(build, ORIGIN_NONE, 0, value);
}

void
limen_builder_null(limen_builder *self, const char *key)
{
	builder *build = begin_value(self, key);

	if (build != NULL)
		builder_null(build, ORIGIN_NONE, 0);
}

void
limen_builder_value(limen_builder *self, const char *key, limen_value value)
{
	builder *build = begin_value(self, key);

	if (build != NULL)
		builder_copy(build, value);
}

limen_value
limen_builder_finish(limen_builder *self)
{
	if (self == NULL)
		return limen_value_none();
	if (self->build != NULL)
		self->made = builder_finish(self->build);
	self->build = NULL;
	return document_root(self->made);
}
