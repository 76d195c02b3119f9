/* SPDX-License-Identifier: Apache-2.0 */
/* stack_switch.h - calls a function on another stack. */
#ifndef LIMEN_SUPPORT_JQ_STACK_SWITCH_H
#define LIMEN_SUPPORT_JQ_STACK_SWITCH_H

/* Calls job(data) on the stack from 'bottom' to 'top', both aligned to pages. */
void stack_switch(void (*job)(void *data), void *data, void *bottom, void *top);

#endif
