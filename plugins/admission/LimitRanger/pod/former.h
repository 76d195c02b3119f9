/* SPDX-License-Identifier: Apache-2.0 */
/* former.h - a pod as it was before something, by the names of its containers. */
#ifndef LIMEN_LIMITRANGER_FORMER_H
#define LIMEN_LIMITRANGER_FORMER_H

#include "pod.h"

typedef struct former {
	pod pod;
	const pod *whole;          /* 'pod', or NULL if there is nothing to compare with */
	const container **by_name; /* its containers, sorted */
} former;

/*
 * Reads 'document', a pod or else a claim, which may be none.  What cannot be read counts as none, so
 * that everything is checked.  Returns LIMEN_OK or LIMEN_ENOMEM; former_clear()
 * is due in both cases.
 */
int former_read(former *out, const limen_request *req, limen_value document, bool is_pod);
void former_clear(former *before);

/* Returns the container of the same name, or NULL if there was none. */
const container *former_container(const former *before, const container *now);

#endif
