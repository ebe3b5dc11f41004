/* SPDX-License-Identifier: Apache-2.0
 *
 * A new folder for a test's files. Who includes it defines _XOPEN_SOURCE as 700 before anything
 * else.
 */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Its path; lives for ever. */
static inline const char *test_make_folder(void)
{
    static char path[] = "/tmp/reap-test-XXXXXX";
    if (mkdtemp(path) == NULL) {
        perror(path);
        exit(2);
    }
    return path;
}

static inline int test_remove_entry(const char *path, const struct stat *status, int type,
                                    struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path);
}

/* With all that is in it. */
static inline void test_remove_folder(const char *path)
{
    nftw(path, test_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
