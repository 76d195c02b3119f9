/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_private.h - what the parts of the core ask of the engine they work
 * for.
 */
#ifndef LIMEN_CORE_ENGINE_ENGINE_PRIVATE_H
#define LIMEN_CORE_ENGINE_ENGINE_PRIVATE_H

#include <limen/engine.h>

#include "host.h"
#include "instance.h"
#include "loader.h"

/* The LIMEN_ENGINE_* flags it was made with. */
unsigned engine_flags(const limen_engine *engine);

background *engine_background(limen_engine *engine);

/* The directories of the engine's options, then the one installed modules are in. */
const module_path *engine_module_path(const limen_engine *engine);

struct policy;

/* Remembers what an instance that could not be opened has read, and a policy that failed. */
void engine_tried_inputs(limen_engine *engine, const input *list);
void engine_tried_policy(limen_engine *engine, const struct policy *failed);

/* The namespace of manifests that name none, or NULL. */
const char *engine_namespace(const limen_engine *engine);

#endif
