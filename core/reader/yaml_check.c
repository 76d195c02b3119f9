/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_check.c - checks one YAML node when it is read: it reports wrong tags and keys, and notes
 * scalars whose type may surprise the author.
 */
#include "yaml_check.h"

static void
remark_on_scalar(yaml_reader *reader, const yaml_node *at, const yaml_scalar *value)
{
	yaml_excerpt written = yaml_excerpt_of(at->text, at->length);

	if (value->remark == YAML_REMARK_WORD) {
		if (yaml_note(reader, at->offset, "'%s' is read as text, not as a boolean",
		              written.text))
			limen_diag_hint(reader->diag, "write true or false, or put it in quotes");
	} else if (value->remark == YAML_REMARK_NUMBER) {
		yaml_excerpt number = yaml_excerpt_of(value->text, value->length);

		if (yaml_note(reader, at->offset,
		              "'%s' is read as the number %s, as Kubernetes does", written.text,
		              number.text))
			limen_diag_hint(reader->diag, "write %s, or put it in quotes", number.text);
	}
}

static void
check_scalar(yaml_reader *reader, const yaml_node *at, arena *scratch)
{
	bool nan = (reader->flags & READ_NAN) != 0;
	yaml_scalar value;
	int result;

	arena_reset(scratch);
	result = yaml_scalar_resolve(at->text, at->length, at->plain, at->tag, nan,
	                             scratch, &value);
	if (result == LIMEN_OK)
		remark_on_scalar(reader, at, &value);
	else if (result == LIMEN_ENOMEM)
		reader->no_memory = true;
	else
		yaml_problem(reader, at->offset, "'%s' %s",
		             yaml_excerpt_of(at->text, at->length).text, value.problem);
}

/* A key is the text as it was written, whatever it would mean as a value. */
static void
check_key(yaml_reader *reader, const yaml_node *at)
{
	if (at->tag == YAML_TAG_SEQ || at->tag == YAML_TAG_MAP)
		yaml_problem(reader, at->offset,
		             "the tag of a key must be that of a scalar");
	else if (at->length == 0 && at->plain && at->tag == YAML_TAG_NONE)
		yaml_problem(reader, at->offset, "there is no key before the colon");
}

static void
check_container(yaml_reader *reader, const yaml_node *at)
{
	yaml_tag fitting = at->kind == YAML_SEQUENCE ? YAML_TAG_SEQ : YAML_TAG_MAP;

	if (at->key)
		yaml_problem(reader, at->offset,
		             "a key must be a scalar, not a list or a map");
	if (at->tag != YAML_TAG_NONE && at->tag != YAML_TAG_UNKNOWN && at->tag != fitting)
		yaml_problem(reader, at->offset, "the tag does not fit a %s",
		             fitting == YAML_TAG_SEQ ? "list" : "map");
}

void
yaml_check(yaml_reader *reader, const yaml_node *at, arena *scratch)
{
	if (at->kind != YAML_SCALAR)
		check_container(reader, at);
	else if (at->key)
		check_key(reader, at);
	else if (at->tag != YAML_TAG_UNKNOWN)
		check_scalar(reader, at, scratch);
}
