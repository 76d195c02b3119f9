/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_metrics.h - what the process takes of the machine, under the names that
 * Prometheus client libraries use for it.
 */
#ifndef LIMEND_PROCESS_METRICS_H
#define LIMEND_PROCESS_METRICS_H

#include <glib.h>

/* Writes what /proc tells (proc(5)); what it does not tell is left out. */
void process_metrics_write(GString *out);

#endif
