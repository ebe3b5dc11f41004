/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Parts of a reduction: what work-items of some ranges come to, to be continued.
 *
 * A launch stores the result of a reduction in a variable. Where not all items are launched at
 * once, because an array arrives in chunks, is distributed over devices or processes, or because a
 * program is to go on from a file after it was stopped, a launch stores what its items come to in a
 * part instead:
 *
 * @code{.c}
 * reap_part *part;
 * status = reap_part_create(&reap_kernel_sum_up, "sum", &part);
 * for (first = 0; first < count; first += chunk)
 *     status = reap_parallel_for(queue, sum_up, reap_range_1d(chunk), .values = values + first,
 *                                .sum = {.part = part}, .launch.first_item = first);
 * status = reap_queue_wait(queue);
 * status = reap_part_finish(part, &sum, NULL);
 * @endcode
 *
 * - `.launch.first_item` is the number that the launch's first work-item has among all items of the
 *   reduction. In the kernel, ids begin at 0 in every launch; the location of a minimum or maximum
 *   is the number among all items. In an nd_range it is a multiple of the work-group's size, and
 *   groups are counted in the order of their linear ids.
 * - The ranges of launches may be cut anywhere, may come in any order and from several threads and
 *   devices, but must not overlap. In the end they must be without gaps, from item 0 on.
 * - The result has the bits of one launch over all items, however they were cut. The exception is a
 *   NaN that an operator of the program made: it is a NaN in both, but the sign and the payload may
 *   differ ([the same arithmetic](docs/reduction-shape.md#the-same-arithmetic)).
 * - All reductions of a launch go to parts, or none does. Array reductions whose
 *   values are combined in an order ([spans](docs/spans.md)) have no parts.
 *
 * [Chunks](docs/chunks.md) has examples. A part takes memory for a leaf of items and a row of lanes
 * for each level of the reduction tree ([shape](docs/reduction-shape.md)), for each of its ranges
 * that do not touch; a part of an array reduction takes an array. */
#ifndef REAP_PART_H
#define REAP_PART_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

struct reap_kernel;

/** A part of one reduction of a kernel. It belongs to the program, which releases it with
 * reap_part_release(). */
typedef struct reap_part reap_part;

/** Consecutive work-items of a reduction: `first` is the first, `end` the one after the last. */
typedef struct reap_part_range {
    uint64_t first; /**< number of the first work-item */
    uint64_t end;   /**< number of the last work-item plus 1 */
} reap_part_range;

/** How reap_part_finish() stores a result; all zero is the default. */
typedef struct reap_part_finish_options {
    uint64_t *location; /**< of a reduction with a location: receives it; its value is included like
                         * that of the variable; default: NULL, which such a reduction refuses */
    unsigned properties; /**< REAP_INITIALIZE_TO_IDENTITY: the variable's value is not included;
                          * default: 0, it is */
    size_t count; /**< of an array reduction: the elements of the variable; another number than
                   * the part's is refused; default: 0, as many as the launches said, or the
                   * encoding, which reap_part_read() explains */
} reap_part_finish_options;

/** What a part is of, and how its values can be added; see reap_part_describe(). */
typedef struct reap_part_description {
    const struct reap_kernel *kernel; /**< the kernel */
    const char *kernel_name;          /**< its name */
    const char *reduction;            /**< the reduction's name */
    const char *operation;            /**< the operator's name, such as "plus" */
    const char *type;                 /**< "float", "s32", "u64"; a user's type: its own name */
    size_t value_size;                /**< bytes of a value */
    size_t group_items;               /**< work-items of a work-group; 1: without groups */
    size_t count;                     /**< elements of an array; 0: none, or not known yet */
    const void *identity;  /**< the launches' .identity, valid until the part changes; NULL: none */
    size_t word_size;      /**< bytes of a word (1, 2, 4 or 8) of those whose sums are the part's
                            * values; 0: its values are not such sums */
    size_t words_of_value; /**< how many words the result has, or an element of an array */
    size_t word_count;     /**< how many there are in all; 0: not known yet, or no words */
} reap_part_description;

/** What reap_part_set_words() puts into a part; all zero is a part without items. */
typedef struct reap_part_contents {
    const reap_part_range *ranges; /**< in the order of their items; they do not overlap */
    size_t range_count;            /**< how many; default: 0, no items */
    size_t group_items;            /**< work-items of a work-group; default: 0, the same as 1 */
    size_t count;                  /**< elements of an array; default: 0, it is not an array */
    const void *words; /**< the words, reap_part_description.word_count of them. Those of an array
                        * may be memory of kind device (reap_malloc_device()), and stay there */
} reap_part_contents;

/** Creates a part without items.
 *
 * @param kernel      the kernel, such as &reap_kernel_sum_up. The part uses its table: where it is
 *                    in a library that the program loads, that must stay loaded
 * @param reduction   the name of one of its reductions
 * @param[out] part   the part, which the caller releases
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, or the kernel has no such reduction
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_part_create(const struct reap_kernel *kernel, const char *reduction,
                                      reap_part **part);

/** Creates a part with the same items and values as another one.
 *
 * @param part       the part, which is not changed
 * @param[out] copy  the copy, which the caller releases
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, or a launch into `part` has not completed
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_part_copy(const reap_part *part, reap_part **copy);

/** Adds the items of a part to another one.
 *
 * Parts merge in any order and any grouping. Their ranges need not touch, but must not overlap.
 *
 * @param into  the part that receives the items; not changed by a failure
 * @param from  another part, which is not changed
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; they are one part; they are of different
 *                                      kernels, reductions, operators, types, identities,
 *                                      work-group sizes or lengths of a span; their ranges overlap
 *                                      (reap_last_error() has both); a launch into one of them has
 *                                      not completed
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_part_merge(reap_part *into, const reap_part *from);

/** Stores the result of a part's items in a variable, as one launch over them would have.
 *
 * The part does not change: it can take more items, and be finished again.
 *
 * @param part      a part whose items are all from 0 to some number, or that has none
 * @param variable  receives the result, combined with its value; of the reduction's type, or an
 *                  array of it. Memory of the program. Memory in a buffer is used only during a
 *                  host access (reap_host_access_begin())
 * @param options   may be NULL: all zero
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL or not aligned; the part does not begin
 *                                      at item 0, or has a gap (reap_last_error() has the ranges);
 *                                      a launch into it has not completed; an option is wrong; the
 *                                      operator has no identity and REAP_INITIALIZE_TO_IDENTITY is
 *                                      given. The variable is unchanged
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out; the variable is unchanged
 * @note Any thread may call it. */
REAP_API reap_status reap_part_finish(const reap_part *part, void *variable,
                                      const reap_part_finish_options *options);

/** Returns how many ranges of items a part has; ranges that touch are one.
 *
 * Items of launches that have not completed do not count.
 *
 * @param part  may be NULL
 * @return the number; 0 if `part` is NULL
 * @note Any thread may call it. */
REAP_API size_t reap_part_range_count(const reap_part *part);

/** Returns one of a part's ranges, in the order of their items.
 *
 * @param part        the part
 * @param number      the range's number, from 0
 * @param[out] range  the range
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, or the part does not have that range
 * @note Any thread may call it. */
REAP_API reap_status reap_part_get_range(const reap_part *part, size_t number,
                                         reap_part_range *range);

/** Exchanges what two parts of one reduction have: their items, values and what launches have said.
 *
 * @param a  a part
 * @param b  another part, of the same kernel, reduction, operator and type; or the same part, which
 *           changes nothing
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; they are not of the same reduction; a
 *                                      launch into one of them has not completed; nothing changes
 * @note Any thread may call it. */
REAP_API reap_status reap_part_swap(reap_part *a, reap_part *b);

/** Returns what a part is of.
 *
 * @param part              the part
 * @param[out] description  receives it. Its texts are valid as long as the kernel
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; a launch into it has not completed
 * @note Any thread may call it. */
REAP_API reap_status reap_part_describe(const reap_part *part, reap_part_description *description);

/** Writes the words of which the values of a part consist: unsigned integers that add up.
 *
 * Sums of integers and exact sums consist of such words, as scalars and in array reductions: the
 * words of several parts, added one by one modulo 2^(8 word_size), are those of the parts merged.
 * So a library that adds integers on several processes or devices (MPI_SUM, NCCL) can merge parts;
 * reap_part_set_words() takes the result. Up to 2^31 - 1 parts can be added. A part without items
 * has words of 0, once its number of elements is known.
 *
 * @param part        the part; reap_part_describe() returns the size and number of its words
 * @param[out] words  receives them, in the byte order of the machine
 * @param capacity    how many bytes fit
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; its values do not consist of words
 *                                      (another operator or type; the launches have .identity);
 *                                      `capacity` is too small; a launch into it has not completed.
 *                                      Nothing is written
 * @note Any thread may call it. */
REAP_API reap_status reap_part_get_words(const reap_part *part, void *words, size_t capacity);

/** Returns where the words of a part are, if they are in a device's memory.
 *
 * Launches on a device with memory of its own leave an array reduction there if its values consist
 * of words, its kernel has no scalar reduction, and it takes from 64 KiB to an eighth of the
 * memory. It comes to the host when the part is merged, finished, written or copied, or its words
 * are got. The words here are those of reap_part_get_words(), so a library that adds integers on
 * devices can merge them there (NCCL; reap_memory_get_native() has the vendor's address).
 *
 * @param part         the part
 * @param[out] device  the device; NULL: the words are in the host's memory, or on several devices,
 *                     or there are none
 * @param[out] words   memory of kind device, to be read only, from the call until the part changes
 *                     or its words come to the host; NULL if `device` is
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; a launch into it has not completed
 * @note Any thread may call it. */
REAP_API reap_status reap_part_get_device_words(const reap_part *part, const reap_device **device,
                                                const void **words);

/** Replaces what a part has by ranges of items and the words of their values.
 *
 * The words are of all ranges together, so results of some of the ranges cannot be had any longer;
 * those of all can, and the part can take more items.
 *
 * @param part      a part of a reduction whose values consist of words; see reap_part_get_words().
 *                  Not changed by a failure
 * @param contents  what it is to have; not NULL
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; its values do not consist of words; the
 *                                      ranges are not in order, overlap, are empty or have parts of
 *                                      work-groups; `count` is missing, or given for a scalar; a
 *                                      launch into it has not completed
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_part_set_words(reap_part *part, const reap_part_contents *contents);

/** Encodes a part as bytes, to be stored or sent.
 *
 * The bytes contain no pointers. Those of a part with a built-in operator do not depend on the
 * machine; values of a user's type are stored as they are in memory, padding included (so equal
 * parts may have other bytes there), and are read only on machines of the same byte order.
 *
 * @param part       the part
 * @param bytes      receives the encoding; NULL: only its size is returned
 * @param capacity   how many bytes fit
 * @param[out] size  the size of the encoding
 * @retval REAP_ERROR_INVALID_ARGUMENT  `part` or `size` is NULL; `capacity` is less than the size;
 *                                      a launch into the part has not completed. Nothing is written
 * @note Any thread may call it. */
REAP_API reap_status reap_part_write(const reap_part *part, void *bytes, size_t capacity,
                                     size_t *size);

/** Creates a part from its encoding.
 *
 * The encoding is checked, with a checksum. An encoding that was made on purpose to mislead results
 * in a wrong part, but in no undefined behaviour of this library. For that a program gives
 * reap_part_finish() the .count of an array reduction: the encoding has a number of elements, too,
 * and without .count as many are stored in the variable, also if the part was merged into another
 * one that had no items.
 *
 * @param kernel     the kernel that the part must be of; see reap_part_create()
 * @param reduction  the name of its reduction that the part must be of
 * @param bytes      the encoding
 * @param size       its size; bytes after the encoding are an error
 * @param[out] part  the part, which the caller releases
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; the bytes are not the encoding of a part,
 *                                      are truncated or damaged, are of a later version of the
 *                                      encoding, or of another kernel, reduction, operator or type
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_part_read(const struct reap_kernel *kernel, const char *reduction,
                                    const void *bytes, size_t size, reap_part **part);

/** Releases a part. Launches into it that have not completed still run.
 *
 * @param part  may be NULL
 * @note Any thread may call it, while no other thread uses the part. */
REAP_API void reap_part_release(reap_part *part);

#endif
