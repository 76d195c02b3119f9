/* SPDX-License-Identifier: Apache-2.0 */
/*
 * templates.c - finds the templates of pods and claims in a workload, and makes the objects that
 * its controllers would make.  Finds the controller of an object.
 */
#include "templates.h"

#include <string.h>

/*
 * Longest object name in Kubernetes (IsDNS1123Subdomain() in apimachinery).  Each object repeats the
 * workload's name, so a longer one could use unbounded memory.
 */
#define NAME_MAX_BYTES 253

limen_value
limen_object_controller(limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_iter iter = limen_iter_start(limen_value_get(metadata, "ownerReferences"));
	limen_value owner;

	while (limen_iter_next(&iter, NULL, &owner)) {
		bool controls = false;

		if (limen_value_bool(limen_value_get(owner, "controller"), &controls) && controls)
			return owner;
	}
	return limen_value_none();
}

/* The walk along the path of one row. */
typedef struct walk {
	const template_row *row;
	const char *workload; /* its name, or "" */
	strbuf field;         /* the way so far */
	template_method *each;
	void *data;
	limen_diag *diag;
	bool failed; /* memory was short */
} walk;

/* Makes the object of 'template': what it has of metadata and spec. */
static document *
make_object(const char *kind, limen_value template)
{
	static const char *const members[] = { "metadata", "spec" };
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	builder_constant(build, "apiVersion");
	builder_constant(build, "v1");
	builder_constant(build, "kind");
	builder_text(build, kind);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		limen_value member = limen_value_get(template, members[i]);

		if (!limen_value_exists(member))
			continue;
		builder_constant(build, members[i]);
		builder_copy(build, member);
	}
	builder_end(build);
	return builder_finish(build);
}

/* Writes the name that the object would get, or begin with. */
static void
write_name(const walk *run, limen_value template, strbuf *out)
{
	limen_value metadata = limen_value_get(template, "metadata");
	const char *own = limen_value_string(limen_value_get(metadata, "name"), NULL);

	if (run->row->claim)
		strbuf_addf(out, "%s-", own == NULL ? "" : own);
	strbuf_adds(out, run->workload);
	strbuf_adds(out, run->row->suffix);
}

static void
take(walk *run, limen_value template, limen_value old)
{
	limen_template found = {
		.kind = run->row->claim ? "PersistentVolumeClaim" : "Pod",
		.value = template,
		.field = run->field.text,
	};
	document *object = make_object(found.kind, template);
	strbuf name = STRBUF_INIT;

	write_name(run, template, &name);
	run->failed = run->failed || object == NULL || name.failed || run->field.failed;
	if (!run->failed) {
		if (strcmp(run->row->suffix, "-") == 0)
			found.generate_name = name.text;
		else
			found.name = name.text;
		found.object = document_root(object);
		run->each(run->data, &found, old, object);
	}
	document_unref(object);
	strbuf_free(&name);
}

static void walk_path(walk *run, const char *path, limen_value value, limen_value old);

/* Goes on behind a member, or takes the template if the path has ended. */
static void
walk_on(walk *run, const char *path, limen_value value, limen_value old)
{
	if (*path == '.')
		walk_path(run, path + 1, value, old);
	else if (limen_value_exists(value) || run->row->known)
		take(run, value, old);
}

static void
walk_list(walk *run, const char *path, limen_value list, limen_value old)
{
	limen_iter iter = limen_iter_start(list);
	limen_iter before = limen_iter_start(old);
	limen_type type = limen_value_type(list);
	size_t mark = run->field.length;
	limen_value element;

	if (type != LIMEN_TYPE_ARRAY) {
		if (type > LIMEN_TYPE_NULL && !run->field.failed)
			limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, list,
			               "%s: must be an array", run->field.text);
		return;
	}
	for (size_t i = 0; !run->failed && limen_iter_next(&iter, NULL, &element); i++) {
		limen_value then = limen_value_none();

		if (limen_value_type(old) == LIMEN_TYPE_ARRAY)
			limen_iter_next(&before, NULL, &then);
		strbuf_addf(&run->field, "[%zu]", i);
		walk_on(run, path, element, then);
		if (!run->field.failed)
			run->field.length = mark;
	}
}

/* Walks along 'path', and through all elements of a list whose member ends in "[]". */
static void
walk_path(walk *run, const char *path, limen_value value, limen_value old)
{
	size_t length = strcspn(path, ".[");
	limen_value member = limen_value_member(value, path, length);
	limen_value then = limen_value_member(old, path, length);

	if (run->field.length > 0)
		strbuf_addc(&run->field, '.');
	strbuf_add(&run->field, path, length);
	path += length;
	if (*path == '[')
		walk_list(run, path + strlen("[]"), member, then);
	else
		walk_on(run, path, member, then);
}

int
templates_each(const policy *loaded, const char *api_group, const char *kind, limen_value workload,
               limen_value old, template_method *each, void *data, limen_diag *diag)
{
	limen_value metadata = limen_value_get(workload, "metadata");
	size_t length = 0;
	const char *name = limen_value_string(limen_value_get(metadata, "name"), &length);
	walk run = { .workload = length == 0 || length > NAME_MAX_BYTES ? "" : name,
		     .each = each, .data = data, .diag = diag };
	size_t position = 0;
	size_t rows = 0;

	while ((run.row = template_next(loaded, api_group, kind, &position)) != NULL) {
		rows++;
		run.field = (strbuf)STRBUF_INIT;
		if (each != NULL && !run.failed)
			walk_path(&run, run.row->path, workload, old);
		strbuf_free(&run.field);
	}
	return run.failed ? LIMEN_ENOMEM : rows == 0 ? LIMEN_ENOENT : LIMEN_OK;
}
