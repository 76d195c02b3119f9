/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/json.h - the second tier: a document as a jansson tree.
 *
 * For code that works on whole documents.  It costs a copy, and binds the
 * module to the jansson that liblimen uses: two copies of jansson in one process
 * do not find each other's keys, so link it as a shared library only.  Not part of the
 * stable ABI.
 *
 * Threads: as limen/value.h and limen/request.h say; jansson wants that one thread at a time uses
 * a tree.
 */
#ifndef LIMEN_JSON_H
#define LIMEN_JSON_H

#include <jansson.h>
#include <limen/request.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/*
 * Returns a jansson copy of 'value', a new reference which the caller ends with
 * json_decref(); NULL when memory is short, when 'value' is none or holds a
 * number jansson cannot (NaN, infinities), or a key with a NUL.
 */
LIMEN_API json_t *limen_value_json(limen_value value);

/*
 * Returns the newest document of 'req' as a jansson tree, made once per
 * generation and thread.  Borrowed until the generation is replaced; do not
 * change it.  NULL as for limen_value_json().
 */
LIMEN_API const json_t *limen_request_json(const limen_request *req);

LIMEN_END_DECLS

#endif
