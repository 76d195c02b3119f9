/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_check.c - checks one YAML node when it is read: it reports wrong tags and keys, and notes
 * scalars whose type may surprise the author.
 */
#include "yaml_check.h"

static void
remark_on_scalar(yaml_reader *reader, const yaml_node *item, const yaml_scalar *value)
{
	yaml_excerpt written = yaml_excerpt_of(item->text, item->length);

	if (value->remark == YAML_REMARK_WORD) {
		if (yaml_note(reader, item->offset, "'%s' is read as text, not as a boolean",
		              written.text))
			limen_diag_hint(reader->diag, "write true or false, or put it in quotes");
	} else if (value->remark == YAML_REMARK_NUMBER) {
		yaml_excerpt number = yaml_excerpt_of(value->text, value->length);

		if (yaml_note(reader, item->offset,
		              "'%s' is read as the number %s, as Kubernetes does", written.text,
		              number.text))
			limen_diag_hint(reader->diag, "write %s, or put it in quotes", number.text);
	}
}

static void
check_scalar(yaml_reader *reader, const yaml_node *item, arena *scratch)
{
	bool nan = (reader->flags & READ_NAN) != 0;
	yaml_scalar value;
	int result;

	arena_reset(scratch);
	result = yaml_scalar_resolve(item->text, item->length, item->plain, item->tag, nan, scratch,
	                             &value);
	if (result == LIMEN_OK)
		remark_on_scalar(reader, item, &value);
	else if (result == LIMEN_ENOMEM)
		reader->no_memory = true;
	else
		yaml_problem(reader, item->offset, "'%s' %s",
		             yaml_excerpt_of(item->text, item->length).text, value.problem);
}

/* A key is the text as it was written, whatever it would mean as a value. */
static void
check_key(yaml_reader *reader, const yaml_node *item)
{
	if (item->tag == YAML_TAG_SEQ || item->tag == YAML_TAG_MAP)
		yaml_problem(reader, item->offset, "the tag of a key must be that of a scalar");
	else if (item->length == 0 && item->plain && item->tag == YAML_TAG_NONE)
		yaml_problem(reader, item->offset, "there is no key before the colon");
}

static void
check_container(yaml_reader *reader, const yaml_node *item)
{
	yaml_tag fitting = item->kind == YAML_SEQUENCE ? YAML_TAG_SEQ : YAML_TAG_MAP;

	if (item->key)
		yaml_problem(reader, item->offset, "a key must be a scalar, not a list or a map");
	if (item->tag != YAML_TAG_NONE && item->tag != YAML_TAG_UNKNOWN && item->tag != fitting)
		yaml_problem(reader, item->offset, "the tag does not fit a %s",
		             fitting == YAML_TAG_SEQ ? "list" : "map");
}

void
yaml_check(yaml_reader *reader, const yaml_node *item, arena *scratch)
{
	if (item->kind != YAML_SCALAR)
		check_container(reader, item);
	else if (item->key)
		check_key(reader, item);
	else if (item->tag != YAML_TAG_UNKNOWN)
		check_scalar(reader, item, scratch);
}
