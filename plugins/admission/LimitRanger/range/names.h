/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h - validates names in a LimitRange, with the messages of Kubernetes 1.36
 * (k8s.io/apimachinery, util/validation; core/v1 validation).
 */
#ifndef LIMEN_LIMITRANGER_NAMES_H
#define LIMEN_LIMITRANGER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define NAME_PROBLEMS_MAX 5

/* The problems of a name, in the order in which Kubernetes reports them; static texts. */
typedef struct name_problems {
	const char *texts[NAME_PROBLEMS_MAX];
	size_t count;
} name_problems;

/* An optional DNS subdomain and "/", then a name of at most 63 bytes. */
void names_check_qualified(const char *name, size_t length, name_problems *out);

/* Would names_check_qualified() find nothing? */
bool names_is_qualified(const char *name, size_t length);

/* A resource in a list of an item; 'of_containers': its type is Pod or Container. */
void names_check_resource(const char *name, size_t length, bool of_containers,
                          name_problems *out);

/* RFC 1123: names of objects, and of namespaces. */
void names_check_subdomain(const char *name, size_t length, name_problems *out);
void names_check_label(const char *name, size_t length, name_problems *out);

/* "hugepages-2Mi" and the like. */
bool names_is_hugepages(const char *name, size_t length);

/* May the limit of this resource be above its request? */
bool names_may_overcommit(const char *name, size_t length);

#endif
