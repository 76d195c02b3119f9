/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_kind.h - is what an operator names a task or an object?
 */
#ifndef LIMEN_PROGRAM_TEXT_KIND_H
#define LIMEN_PROGRAM_TEXT_KIND_H

#include "ask.h"

/* Does 'document' say what it is, as every object of Kubernetes does? */
bool text_kind_is_object(limen_value document);

/*
 * Is the text of the file 'name' (NULL: unknown) to be read as one task?  Of a
 * task every byte is as pScheduler reads it, down to NaN: what begins like JSON is
 * read as that, and only there "#" members are comments.
 */
bool text_kind_is_task(const ask_settings *settings, const char *name, const char *text,
                       size_t length);

#endif
