/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.c - the directories of jq modules: limen's own come first, so that
 * pScheduler's, which are slower, are found only for what limen does not have.
 */
#include "library.h"

#include <stdlib.h>

#define PSCHEDULER_DIRECTORY "/usr/lib/jq"

const char *
library_directory(void)
{
	const char *told = secure_getenv("LIMEN_JQ_PATH");

	return told != NULL && told[0] != '\0' ? told : LIMEN_JQDIR;
}

jv
library_path(void)
{
	jv path = jv_array();

	path = jv_array_append(path, jv_string(library_directory()));
	return jv_array_append(path, jv_string(PSCHEDULER_DIRECTORY));
}
