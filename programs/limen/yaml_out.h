/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_out.h - writes a value as a YAML document: block style, and quotes
 * wherever a reader of YAML 1.1 or 1.2 could take a text for something else.
 */
#ifndef LIMEN_PROGRAM_YAML_OUT_H
#define LIMEN_PROGRAM_YAML_OUT_H

#include <glib.h>
#include <limen/value.h>

/* Appends 'value', ended by a newline. */
void yaml_append(GString *out, limen_value value);

#endif
