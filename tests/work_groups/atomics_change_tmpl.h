/* SPDX-License-Identifier: Apache-2.0
 *
 * Every atomic operation on one integer type in one memory: included twice per type by
 * atomics.kernels_tmpl.h with CHANGE and SPACE. Of the operations that give something of use, `old`
 * keeps it.
 */
REAP_KERNEL_FILE

static void CHANGE(SPACE TYPE *cells, TYPE v, REAP_GLOBAL TYPE *old, size_t items, size_t i)
{
    TYPE seen, next;
    old[i] = reap_atomic_fetch_add(&cells[CELL_COUNT], 1);
    old[items + i] = reap_atomic_exchange(&cells[CELL_EXCHANGE], (TYPE)(i + 1));
    reap_atomic_fetch_add(&cells[CELL_ADD], v);
    reap_atomic_fetch_min(&cells[CELL_MIN], v);
    reap_atomic_fetch_max(&cells[CELL_MAX], v);
    reap_atomic_fetch_and(&cells[CELL_AND], (TYPE)(v | 15));
    reap_atomic_fetch_or(&cells[CELL_OR], (TYPE)(v & 255));
    reap_atomic_fetch_xor(&cells[CELL_XOR], v);
    do { /* an exclusive or once more, by comparing and exchanging */
        seen = reap_atomic_fetch_or(&cells[CELL_SWAP], 0);
        next = (TYPE)(seen ^ v);
    } while (reap_atomic_compare_exchange(&cells[CELL_SWAP], seen, next) != seen);
}

#undef CHANGE
#undef SPACE
