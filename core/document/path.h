/* SPDX-License-Identifier: Apache-2.0 */
/* path.h - the insides of a compiled RFC 6901 pointer. */
#ifndef LIMEN_CORE_DOCUMENT_PATH_H
#define LIMEN_CORE_DOCUMENT_PATH_H

#include <limen/value.h>

/* Not the index of any array element. */
#define INDEX_NONE SIZE_MAX

typedef struct path_token {
	const char *text; /* unescaped; in the path's block */
	size_t length;
	size_t index; /* the array element it names, or INDEX_NONE */
} path_token;

struct limen_path {
	const char *pointer; /* behind the tokens */
	size_t count;
	path_token tokens[];
};

#endif
