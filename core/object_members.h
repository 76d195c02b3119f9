/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_members.h - which members of an object that was just read count.  As
 * in Python's json, the last of several with the same key does.
 */
#ifndef LIMEN_CORE_OBJECT_MEMBERS_H
#define LIMEN_CORE_OBJECT_MEMBERS_H

#include "document.h"

/*
 * Marks members of 'object' as NODE_DEAD and takes them off its length, which
 * counts all of them before: those overridden by a later one and, if 'comments',
 * those whose key begins with "#".  Linear in their number, whatever the keys
 * are.  Returns false when memory is short.
 */
bool object_hide_members(node *object, bool comments);

#endif
