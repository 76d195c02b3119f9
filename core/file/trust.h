/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust.h - checks whether strangers could change or replace a file.
 */
#ifndef LIMEN_CORE_FILE_TRUST_H
#define LIMEN_CORE_FILE_TRUST_H

#include <limen/diag.h>
#include <limits.h>

/* Why a file is not trusted. */
typedef struct {
	char path[PATH_MAX]; /* the directory, link or file that is to blame */
	const char *who;     /* the users that may change it; NULL: see below */
	int error;           /* errno of a failed check; 0: a stranger may change or owns it */
} trust_fault;

/*
 * Returns true if no stranger can change 'file', whose real name is 'real'.  Strangers are all
 * other users, and with 'groups' also the groups of writable_stranger().
 *
 * Strangers must not be able to replace a directory or a link on the way to the file, by either
 * name; groups that may write to directories of root do not count there.  Strangers must not be
 * able to write to the file, to its directory or that of the link, to 'directory' or its parent.
 */
bool trust_file(const char *file, const char *real, const char *directory, bool groups,
                trust_fault *fault);

/* Reports 'text' as a problem at 'where', with the reason in 'fault'. */
void trust_report(const trust_fault *fault, const char *text, limen_diag *diag, limen_value where);

#endif
