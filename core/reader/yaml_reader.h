/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_reader.h - what the steps of reading one YAML text share: the text, the
 * bounds, and the way to report about a place in it.
 *
 * A text is read in three steps, one YAML document after the other:
 * yaml_load.c turns the events of libyaml into a flat tree (yaml_tree.h) and
 * reports all that is wrong with single nodes, yaml_compose.c turns the tree
 * into a document, copying what aliases and merge keys refer to, and
 * yaml_read.c drives both.
 */
#ifndef LIMEN_CORE_READER_YAML_READER_H
#define LIMEN_CORE_READER_YAML_READER_H

#include "reader.h"
#include "document/document.h"
#include "base/utf8.h"

/*
 * The bounds on one text, over all of its documents.  They count what aliases
 * and merge keys repeat, so that a small text cannot grow without end.
 */
#define YAML_NODES_MAX ((size_t)1000000)
#define YAML_TEXT_MAX READ_SIZE_MAX

/* Reading ends after this many problems; further notes are dropped. */
#define YAML_PROBLEMS_MAX 100u
#define YAML_NOTES_MAX 100u

typedef struct yaml_reader {
	const char *name;
	const char *text;
	size_t length;
	unsigned flags; /* READ_* */
	limen_diag *diag;
	source *source; /* of the whole text; NULL if that is too long */
	unsigned problems;
	unsigned notes;
	bool no_memory;
	size_t nodes_loaded;
	size_t nodes_made;
	size_t text_made;
} yaml_reader;

/* Must the reading end here? */
bool yaml_reader_stopped(const yaml_reader *reader);

/* Did anything go wrong so far? */
bool yaml_reader_failed(const yaml_reader *reader);

/* The line of byte 'offset', from 1. */
unsigned yaml_line(const yaml_reader *reader, size_t offset);

/* Each adds an entry about byte 'offset'.  A problem returns false, a note whether it had room. */
bool yaml_problem(yaml_reader *reader, size_t offset, const char *format, ...) LIMEN_PRINTF(3, 4);
bool yaml_note(yaml_reader *reader, size_t offset, const char *format, ...) LIMEN_PRINTF(3, 4);

/* The beginning of a text from the file, made fit for one line of a message. */
typedef struct yaml_excerpt {
	char text[48];
} yaml_excerpt;

yaml_excerpt yaml_excerpt_of(const char *text, size_t length);

#endif
