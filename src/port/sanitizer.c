/* SPDX-License-Identifier: Apache-2.0
 *
 * The sanitizers' functions are weak references (compiler-rt's sanitizer/tsan_interface.h,
 * common_interface_defs.h and asan_interface.h declare them). Valgrind's requests are instructions
 * that do nothing elsewhere; its header has them, where it was installed when Reap was built.
 */
#include "src/port/sanitizer.h"

#define WEAK __attribute__((__weak__))
WEAK void *__tsan_get_current_fiber(void);
WEAK void *__tsan_create_fiber(unsigned flags);
WEAK void __tsan_destroy_fiber(void *fiber);
WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);
WEAK void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *fake_stack, const void **old_bottom,
                                          size_t *old_size);
WEAK void __asan_poison_memory_region(void const volatile *memory, size_t bytes);
WEAK void __asan_unpoison_memory_region(void const volatile *memory, size_t bytes);

enum { TSAN_WITHOUT_ORDER = 1 }; /* __tsan_switch_to_fiber_no_sync */

bool reap__tsan_is_here(void)
{
    return __tsan_create_fiber != NULL;
}

void *reap__tsan_current(void)
{
    return __tsan_get_current_fiber();
}

void *reap__tsan_create(void)
{
    return __tsan_create_fiber(0);
}

void reap__tsan_destroy(void *context)
{
    __tsan_destroy_fiber(context);
}

void reap__tsan_switch(void *context)
{
    __tsan_switch_to_fiber(context, TSAN_WITHOUT_ORDER);
}

void reap__tsan_acquire(void *address)
{
    __tsan_acquire(address);
}

void reap__tsan_release(void *address)
{
    __tsan_release(address);
}

bool reap__asan_is_here(void)
{
    return __asan_unpoison_memory_region != NULL;
}

void reap__asan_leave(void **fake, const void *bottom, size_t bytes)
{
    __sanitizer_start_switch_fiber(fake, bottom, bytes);
}

void reap__asan_arrive(void *fake, const void **left_bottom, size_t *left_bytes)
{
    __sanitizer_finish_switch_fiber(fake, left_bottom, left_bytes);
}

void reap__asan_forget(const void *memory, size_t bytes)
{
    __asan_unpoison_memory_region(memory, bytes);
}

#ifdef __has_include
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif

void reap__valgrind_stack(const void *bottom, const void *top)
{
#ifdef VALGRIND_STACK_REGISTER
    (void)VALGRIND_STACK_REGISTER(bottom, top);
#else
    (void)bottom, (void)top;
#endif
}

void reap__valgrind_undefined(const void *memory, size_t bytes)
{
#ifdef VALGRIND_MAKE_MEM_UNDEFINED
    (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
#else
    (void)memory, (void)bytes;
#endif
}

bool reap__can_forbid(void)
{
#ifdef RUNNING_ON_VALGRIND
    if (RUNNING_ON_VALGRIND)
        return true;
#endif
    return reap__asan_is_here();
}

void reap__forbid(const void *memory, size_t bytes)
{
    if (reap__asan_is_here())
        __asan_poison_memory_region(memory, bytes);
#ifdef VALGRIND_MAKE_MEM_NOACCESS
    (void)VALGRIND_MAKE_MEM_NOACCESS(memory, bytes);
#endif
}

void reap__allow(const void *memory, size_t bytes)
{
    if (reap__asan_is_here())
        __asan_unpoison_memory_region(memory, bytes);
#ifdef VALGRIND_MAKE_MEM_DEFINED
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
#endif
}
