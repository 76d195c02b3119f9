/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stack_switch.c - a call on another stack.  Nothing is ever resumed, so all it
 * takes is another stack pointer for the time of the call: a few instructions
 * where the machine is known, and otherwise ucontext, whose two system calls
 * cost more than most scripts.
 */
#include "stack_switch.h"

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif

#ifdef WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

typedef struct call {
	void (*job)(void *data);
	void *data;
	char *bottom;
	char *top;
} call;

#if defined(__x86_64__)

void stack_switch_call(void (*job)(void *data), void *data, void *top);
__asm__(".text\n"
        ".globl stack_switch_call\n" /* a linker that optimises may part it from its caller */
        ".hidden stack_switch_call\n"
        ".type stack_switch_call, @function\n"
        "stack_switch_call:\n"
        "	.cfi_startproc\n"
        "	endbr64\n"
        "	pushq %rbp\n"
        "	.cfi_def_cfa_offset 16\n"
        "	.cfi_offset %rbp, -16\n"
        "	movq %rsp, %rbp\n"
        "	.cfi_def_cfa_register %rbp\n"
        "	movq %rdx, %rsp\n"
        "	movq %rdi, %rax\n"
        "	movq %rsi, %rdi\n"
        "	callq *%rax\n"
        "	movq %rbp, %rsp\n"
        "	popq %rbp\n"
        "	.cfi_def_cfa %rsp, 8\n"
        "	ret\n"
        "	.cfi_endproc\n"
        ".size stack_switch_call, . - stack_switch_call\n");

#elif defined(__aarch64__)

void stack_switch_call(void (*job)(void *data), void *data, void *top);
__asm__(".text\n"
        ".globl stack_switch_call\n" /* a linker that optimises may part it from its caller */
        ".hidden stack_switch_call\n"
        ".type stack_switch_call, %function\n"
        "stack_switch_call:\n"
        "	.cfi_startproc\n"
        "	hint #25\n"
        "	.cfi_negate_ra_state\n"
        "	stp x29, x30, [sp, #-16]!\n"
        "	.cfi_def_cfa_offset 16\n"
        "	.cfi_offset x29, -16\n"
        "	.cfi_offset x30, -8\n"
        "	mov x29, sp\n"
        "	.cfi_def_cfa_register x29\n"
        "	mov sp, x2\n"
        "	mov x8, x0\n"
        "	mov x0, x1\n"
        "	blr x8\n"
        "	mov sp, x29\n"
        "	.cfi_def_cfa_register sp\n"
        "	ldp x29, x30, [sp], #16\n"
        "	.cfi_def_cfa_offset 0\n"
        "	hint #29\n"
        "	.cfi_negate_ra_state\n"
        "	ret\n"
        "	.cfi_endproc\n"
        ".size stack_switch_call, . - stack_switch_call\n");

#else

#include <stdint.h>
#include <ucontext.h>

static _Thread_local struct {
	void (*job)(void *data);
	void *data;
} passed; /* makecontext() passes integers only */

static void
enter(void)
{
	passed.job(passed.data);
}

static void
stack_switch_call(void (*job)(void *data), void *data, void *top)
{
	const call *made = data;
	ucontext_t here;
	ucontext_t there;

	getcontext(&there);
	there.uc_stack.ss_sp = made->bottom;
	there.uc_stack.ss_size = (size_t)((char *)top - made->bottom);
	there.uc_link = &here;
	passed.job = job;
	passed.data = data;
	makecontext(&there, enter, 0);
	swapcontext(&here, &there);
}

#endif

/* Runs on the other stack. */
static void
run_call(void *data)
{
	call *made = data;
#ifdef WITH_ASAN
	const void *old_bottom;
	size_t old_size;

	__sanitizer_finish_switch_fiber(NULL, &old_bottom, &old_size);
	made->job(made->data);
	__sanitizer_start_switch_fiber(NULL, old_bottom, old_size);
#else
	made->job(made->data);
#endif
}

void
stack_switch(void (*job)(void *data), void *data, void *bottom, void *top)
{
	call made = { .job = job, .data = data, .bottom = bottom, .top = top };
#ifdef WITH_ASAN
	void *fake = NULL;

	__sanitizer_start_switch_fiber(&fake, bottom, (size_t)(made.top - made.bottom));
	stack_switch_call(run_call, &made, top);
	__sanitizer_finish_switch_fiber(fake, NULL, NULL);
#else
	stack_switch_call(run_call, &made, top);
#endif
}
