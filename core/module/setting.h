/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setting.h - members of "settings" that modules read.  An instance remembers
 * which it read, so that a reload opens it afresh when one has changed.
 */
#ifndef LIMEN_CORE_MODULE_SETTING_H
#define LIMEN_CORE_MODULE_SETTING_H

#include "conf/conf.h"
#include "document/document.h"

/* A setting as it was when an instance read it. */
typedef struct setting_use {
	struct setting_use *next;
	const char *key;
	document *value; /* a copy; NULL: there was none */
} setting_use;

/* Returns the setting 'key' of the files, or none. */
limen_value setting_find(const conf *files, const char *key);

/* Are all of 'uses' as they are in 'files'? */
bool setting_same(const setting_use *uses, const conf *files);

/* Frees the copies of 'uses'. */
void setting_release(setting_use *uses);

#endif
