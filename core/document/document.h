/* SPDX-License-Identifier: Apache-2.0 */
/* document.h - the face of this room: nodes, values, places, pointers, changes, diagnostics. */
#ifndef LIMEN_CORE_DOCUMENT_DOCUMENT_H
#define LIMEN_CORE_DOCUMENT_DOCUMENT_H

#include "diag.h"
#include "document_layout.h"
#include "object_members.h"
#include "path.h"
#include "pointer.h"
#include "revision.h"
#include "tree.h"
#include "value_repr.h"

#endif
