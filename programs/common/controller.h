/* SPDX-License-Identifier: Apache-2.0 */
/* controller.h - names the controller of a Kubernetes object. */
#ifndef LIMEN_PROGRAM_CONTROLLER_H
#define LIMEN_PROGRAM_CONTROLLER_H

#include <limen/request.h>

/* Returns "KIND/NAME" of the controller of 'object', to g_free(); NULL if it has none. */
char *controller_name(limen_value object);

/* As controller_name(), of the object in 'req'; a deleted one is read from its old state. */
char *controller_of_request(const limen_request *req);

#endif
