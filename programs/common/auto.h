/* SPDX-License-Identifier: Apache-2.0 */
/*
 * auto.h - lets g_autoptr() free the objects of the library at the end of a block, and
 * g_auto(heap_text) a text of malloc(), which the library returns.
 */
#ifndef LIMEN_PROGRAM_AUTO_H
#define LIMEN_PROGRAM_AUTO_H

#include <glib.h>
#include <limen/builder.h>
#include <limen/documents.h>
#include <limen/engine.h>
#include <limen/string_match.h>
#include <stdlib.h>

typedef char *heap_text;

G_DEFINE_AUTO_CLEANUP_FREE_FUNC(heap_text, free, NULL)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_builder, limen_builder_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_decision, limen_decision_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_diag, limen_diag_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_documents, limen_documents_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_engine, limen_engine_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_request, limen_request_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(limen_string_match, limen_string_match_free)

#endif
