/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prometheus.h - reads the text format of Prometheus as strictly as promtool
 * checks it, independently of who writes it.
 */
#ifndef LIMEN_TESTS_DAEMON_PROMETHEUS_H
#define LIMEN_TESTS_DAEMON_PROMETHEUS_H

#include <glib.h>
#include <stdbool.h>

typedef struct scrape {
	GHashTable *families; /* name -> type */
	GHashTable *samples;  /* series as written -> double* */
	char *fault;          /* what is wrong with the text, or NULL */
} scrape;

/* Reads 'text'; what is wrong is in 'fault'. */
void scrape_read(scrape *out, const char *text);
void scrape_clear(scrape *self);

/* The value of a series, or -1. */
double scrape_value(const scrape *self, const char *series);

#endif
