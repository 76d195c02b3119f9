/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status_sink.c - an object that modules describe themselves in.  A failed allocation
 * is remembered, here or by the builder below, so no call needs to report one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "services.h"
#include "base/strbuf.h"
#include "document/document.h"
#include "reader/reader.h"
#include "scalar/scalar.h"

struct limen_sink {
	builder *build;
	size_t depth; /* objects and arrays that are open */
	bool failed;
};

limen_sink *
sink_new(void)
{
	limen_sink *sink = calloc(1, sizeof(*sink));

	if (sink == NULL)
		return NULL;
	sink->build = builder_new();
	if (sink->build == NULL) {
		free(sink);
		return NULL;
	}
	builder_begin_object(sink->build, ORIGIN_NONE, 0);
	return sink;
}

/* Adds the name of a member; false if there is none. */
static bool
begin_member(limen_sink *sink, const char *name)
{
	if (sink == NULL || name == NULL)
		return false;
	builder_repaired(sink->build, name);
	return true;
}

void
sink_number(limen_sink *sink, const char *name, const char *text)
{
	if (begin_member(sink, name))
		builder_number(sink->build, ORIGIN_NONE, 0, text, strlen(text));
}

void
sink_copy(limen_sink *sink, const char *name, limen_value value)
{
	if (begin_member(sink, name))
		builder_copy(sink->build, value);
}

void
sink_fail(limen_sink *sink)
{
	sink->failed = true;
}

void
limen_sink_bool(limen_sink *sink, const char *name, bool value)
{
	if (begin_member(sink, name))
		builder_bool(sink->build, ORIGIN_NONE, 0, value);
}

void
limen_sink_int(limen_sink *sink, const char *name, int64_t value)
{
	char text[NUMBER_INT_MAX + 1];

	text[number_write_int(value, text)] = '\0';
	sink_number(sink, name, text);
}

void
limen_sink_real(limen_sink *sink, const char *name, double value)
{
	strbuf text = STRBUF_INIT;

	if (!isfinite(value)) { /* JSON has no word for it (RFC 8259 section 6) */
		limen_sink_string(sink, name, NULL);
		return;
	}
	value_repr_real(&text, value);
	if (!text.failed)
		sink_number(sink, name, text.text);
	else if (sink != NULL)
		sink->failed = true;
	strbuf_free(&text);
}

void
limen_sink_string(limen_sink *sink, const char *name, const char *value)
{
	if (!begin_member(sink, name))
		return;
	if (value == NULL)
		builder_null(sink->build, ORIGIN_NONE, 0);
	else
		builder_repaired(sink->build, value);
}

void
limen_sink_json(limen_sink *sink, const char *name, const char *json)
{
	document *doc = json == NULL ? NULL : json_read(NULL, json, strlen(json), 0, NULL);

	if (doc == NULL)
		limen_sink_string(sink, name, NULL);
	else
		sink_copy(sink, name, document_root(doc));
	document_unref(doc);
}

void
sink_begin(limen_sink *sink, const char *name)
{
	builder_repaired(sink->build, name);
	builder_begin_object(sink->build, ORIGIN_NONE, 0);
	sink->depth++;
}

void
sink_begin_list(limen_sink *sink, const char *name)
{
	builder_repaired(sink->build, name);
	builder_begin_array(sink->build, ORIGIN_NONE, 0);
	sink->depth++;
}

void
sink_begin_item(limen_sink *sink)
{
	builder_begin_object(sink->build, ORIGIN_NONE, 0);
	sink->depth++;
}

void
sink_item(limen_sink *sink, const char *text)
{
	builder_repaired(sink->build, text);
}

void
sink_end(limen_sink *sink)
{
	if (sink->depth == 0)
		return;
	sink->depth--;
	builder_end(sink->build);
}

document *
sink_finish(limen_sink *sink)
{
	document *made = NULL;

	while (sink->depth > 0)
		sink_end(sink);
	builder_end(sink->build);
	if (sink->failed)
		builder_free(sink->build);
	else
		made = builder_finish(sink->build);
	free(sink);
	return made;
}
