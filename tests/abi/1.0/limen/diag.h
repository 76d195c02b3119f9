/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/diag.h - the list of problems that loading a policy or reading a
 * request found.
 *
 * The caller makes a list, passes it in, and reads it afterwards; every
 * function that takes one also takes NULL.  A list is used by one thread at a
 * time.  Functions do not stop at the first problem.  A list holds up to 1000
 * problems or 1 MiB of their texts and hints, and as much of notes and warnings
 * together.  Further entries are counted: one last entry, with the severity of
 * the worst of them, has their number.  A list keeps 1 MiB of JSON pointers of
 * all entries together; entries added after that have no pointer, but their lines
 * and columns.
 */
#ifndef LIMEN_DIAG_H
#define LIMEN_DIAG_H

#include <stdio.h>

#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* How much an entry matters. */
typedef enum limen_severity {
	LIMEN_SEVERITY_NOTE = 0,    /* worth knowing; nothing is wrong */
	LIMEN_SEVERITY_WARNING = 1, /* probably not what was meant; accepted */
	LIMEN_SEVERITY_PROBLEM = 2  /* the load fails */
} limen_severity;

/* One entry.  Strings belong to the list; the struct only grows at its end. */
typedef struct limen_problem {
	uint32_t severity;    /* limen_severity */
	const char *file;    /* as the caller named it, or NULL */
	unsigned line;       /* from 1; 0 if unknown */
	unsigned column;     /* from 1, in characters; 0 if unknown */
	const char *pointer; /* RFC 6901 pointer in the file ("" for its root), or NULL */
	const char *text;    /* one line */
	const char *hint;    /* what to do about it, or NULL */
} limen_problem;

/*
 * Makes an empty list.  Returns NULL when memory is short; NULL is a valid list to add to.  The
 * caller frees it with limen_diag_free().
 */
LIMEN_API limen_diag *limen_diag_new(void);

/* Frees 'diag' and the entries in it. */
LIMEN_API void limen_diag_free(limen_diag *diag);

/*
 * Returns how many entries are at least as severe as 'severity', with those that
 * are only counted; with LIMEN_SEVERITY_NOTE, how many limen_diag_get() has.
 */
LIMEN_API size_t limen_diag_count(const limen_diag *diag, limen_severity severity);

/*
 * Returns entry 'index' in the order found, or NULL past the end.  Good until the
 * list is freed.  Where memory was too short for entries, the last one is a
 * problem that says so.
 */
LIMEN_API const limen_problem *limen_diag_get(const limen_diag *diag, size_t index);

/*
 * Adds an entry about 'where', whose file, line, column and pointer are looked
 * up.  A 'where' of none means the entry whose options are being opened.  The
 * text is one line without a full stop.
 */
LIMEN_API void limen_diag_add(limen_diag *diag, limen_severity severity, limen_value where,
                              const char *format, ...) LIMEN_PRINTF(4, 5);

/* Adds a problem, as limen_diag_add() does.  Returns false, which the caller can return in turn. */
LIMEN_API bool limen_diag_refuse(limen_diag *diag, limen_value where, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/* As limen_diag_add(), with the arguments in a va_list, which is used up. */
LIMEN_API void limen_diag_addv(limen_diag *diag, limen_severity severity, limen_value where,
                               const char *format, va_list arguments) LIMEN_PRINTF(4, 0);

/*
 * As limen_diag_add(), about line 'line' (from 1; 0: the whole file) of a file that a module
 * read, whose path is that of limen_opening_path().
 */
LIMEN_API void limen_diag_add_at(limen_diag *diag, limen_severity severity, const char *file,
                                 unsigned line, const char *format, ...) LIMEN_PRINTF(5, 6);

/* Adds a hint with a remedy to the last entry.  No effect if that is none or was dropped. */
LIMEN_API void limen_diag_hint(limen_diag *diag, const char *format, ...) LIMEN_PRINTF(2, 3);

/*
 * Prints the entries to 'stream', one or two lines each:
 * "FILE:LINE:COLUMN: error: At /POINTER: TEXT" and, indented, the hint.
 */
LIMEN_API void limen_diag_write(const limen_diag *diag, FILE *stream);

LIMEN_END_DECLS

#endif
