/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same tests for the C that machines without vectors run.
 */
#define LIMEN_NO_VECTORS
#include "test_json_block.c"
