/* SPDX-License-Identifier: Apache-2.0 */
/* controller.h - names the controller of a Kubernetes object. */
#ifndef LIMEN_PROGRAM_CONTROLLER_H
#define LIMEN_PROGRAM_CONTROLLER_H

#include <limen/request.h>

/*
 * Returns "KIND/NAME" of the controller of the object in 'req', to g_free(); NULL if it has none.
 * A deleted object is read from its old state.
 */
char *controller_name(const limen_request *req);

#endif
