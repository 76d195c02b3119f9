/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c - sets and clears the HTTP status and the text of a fault.  The fault owns its text. */
#include "fault.h"

#include "../common/print.h"

bool
fault_set(fault *of, int status, const char *format, ...)
{
	va_list args;

	fault_clear(of);
	va_start(args, format);
	of->text = print_vtext(format, args);
	va_end(args);
	of->status = status;
	return false;
}

bool
fault_memory(fault *of)
{
	return fault_set(of, 503, "Memory is short");
}

void
fault_clear(fault *of)
{
	g_free(of->text);
	*of = (fault){ .status = 0 };
}
