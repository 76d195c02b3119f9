/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposition.h - writes the text format of Prometheus, version 0.0.4: families
 * with HELP and TYPE, and their samples.
 *
 *	exposition_family(out, "limend_reloads_total", "counter", "Reloads.");
 *	g_string_append(out, "limend_reloads_total");
 *	exposition_label(out, "result", "failed");
 *	exposition_real(out, 3);
 */
#ifndef LIMEND_EXPOSITION_H
#define LIMEND_EXPOSITION_H

#include <glib.h>
#include <stdint.h>

/* 'type' is "counter", "gauge" or "histogram". */
void exposition_family(GString *out, const char *name, const char *type, const char *help);

/*
 * Adds a label to the sample, which begins with its name and ends with its value.  Bytes of
 * 'value' that are no UTF-8 become U+FFFD.
 */
void exposition_label(GString *out, const char *key, const char *value);

void exposition_real(GString *out, double value);

/* Writes a whole sample: its name, its value, then keys and values of its labels up to NULL. */
void exposition_put(GString *out, const char *name, uint64_t value, ...) G_GNUC_NULL_TERMINATED;

/* Writes a family that has one sample without labels. */
void exposition_single(GString *out, const char *name, const char *type, const char *help,
                       double value);

#endif
