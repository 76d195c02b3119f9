/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c - sets and clears the HTTP status and the text of a fault.  The fault owns its text. */
#include "fault.h"

#include "../common/print.h"

bool
fault_set(fault *self, int status, const char *format, ...)
{
	va_list args;

	fault_clear(self);
	va_start(args, format);
	self->text = print_vtext(format, args);
	va_end(args);
	self->status = status;
	return false;
}

bool
fault_memory(fault *self)
{
	return fault_set(self, 503, "Memory is short");
}

void
fault_clear(fault *self)
{
	g_free(self->text);
	*self = (fault){ .status = 0 };
}
