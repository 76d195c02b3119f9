/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_load.h - converts YAML text to trees with the event parser of libyaml.  Only
 * yaml_load.c uses that library.
 */
#ifndef LIMEN_CORE_READER_YAML_LOAD_H
#define LIMEN_CORE_READER_YAML_LOAD_H

#include "yaml_reader.h"
#include "yaml_tree.h"

typedef struct yaml_loader yaml_loader;

/* 'reader' and its text must outlive the loader.  Returns NULL when memory is short. */
yaml_loader *yaml_loader_new(yaml_reader *reader);
void yaml_loader_free(yaml_loader *loader);

/*
 * Puts the next document of the text into 'tree'.  Returns false at the end of the text
 * and after a fatal error; the reader knows which.  A tree with problems is complete,
 * but may leave out parts of the text.
 */
bool yaml_loader_next(yaml_loader *loader, yaml_tree *tree);

#endif
