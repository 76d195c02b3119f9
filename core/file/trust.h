/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust.h - could strangers choose what a path leads to?
 */
#ifndef LIMEN_CORE_FILE_TRUST_H
#define LIMEN_CORE_FILE_TRUST_H

#include <limen/diag.h>
#include <limits.h>

/* Why a file is not trusted. */
typedef struct {
	char path[PATH_MAX]; /* the directory, link or file that is to blame */
	const char *who;     /* the users that may change it; NULL: see below */
	int error;           /* why it cannot be looked at; 0: it is a stranger's */
} trust_fault;

/*
 * May what is in 'file', with its real name in 'real', be believed?  Strangers are everybody, and
 * with 'groups' those of writable_stranger().
 *
 * None of them may be able to replace a directory or a link on the way to it, by either name;
 * here groups do not count that may write to directories of root.  And none may write to the
 * file, to the directory it is in or that of the link, to 'directory' and to what that is in.
 */
bool trust_file(const char *file, const char *real, const char *directory, bool groups,
                trust_fault *fault);

/* Adds the problem 'what', and why: 'fault'. */
void trust_report(const trust_fault *fault, const char *what, limen_diag *diag, limen_value where);

#endif
