/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with more rights than its caller has does not take folders from the environment. The
 * test runs copies of itself as another user: an ordinary one, one with a capability, and one with
 * set-user-ID. Only root can make those; and a file system may not have them, or be mounted nosuid.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include "src/core/config.h"

#include <sys/wait.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/xattr.h>
#endif

enum { UNPRIVILEGED = 65534 };

/* What a copy reports, as its status. */
enum { HAS_RUN = 64, HAS_FOLDERS = 1, HAS_RIGHTS = 2 };

static char copy[100];

/* Whether the file gave this process rights: it may not, where it is mounted nosuid. */
static bool has_rights(void)
{
    char line[256];
    unsigned long long effective = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "CapEff:", 7) == 0)
            effective = strtoull(line + 7, NULL, 16);
    if (status != NULL)
        fclose(status);
    return effective != 0 || geteuid() != getuid();
}

/* What a copy does. */
static int report(void)
{
    const struct reap__config *config;
    if (reap__config_get(&config) != REAP_OK || (config->cache == NULL) != (config->dump == NULL))
        return 0;
    return HAS_RUN + (config->cache != NULL ? HAS_FOLDERS : 0) + (has_rights() ? HAS_RIGHTS : 0);
}

static bool copy_program(void)
{
    char bytes[1 << 16];
    const int from = open("/proc/self/exe", O_RDONLY);
    const int to = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t got = -1;
    while (from >= 0 && to >= 0 && (got = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)got) != got)
            got = -1;
    close(from);
    return close(to) == 0 && got == 0 && chmod(copy, 0755) == 0;
}

/* As an unprivileged user; returns what it has reported. */
static int run_copy(void)
{
    int status = 0;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        if (setgid(UNPRIVILEGED) == 0 && setuid(UNPRIVILEGED) == 0)
            execl(copy, copy, "report", (char *)NULL);
        _exit(0);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_ordinary(void)
{
    CHECK(copy_program());
    CHECK_EQ(run_copy(), HAS_RUN + HAS_FOLDERS);
}

static void check_raised(const char *what)
{
    const int reported = run_copy();
    CHECK_NE((reported & HAS_RUN), 0);
    if ((reported & HAS_RIGHTS) == 0)
        printf("skipped: no program with %s: the system does not heed it here\n", what);
    else
        CHECK_EQ((reported & HAS_FOLDERS), 0);
}

static void check_set_user_id(void)
{
    CHECK(copy_program() && chmod(copy, 04755) == 0);
    check_raised("set-user-ID");
}

/* The capability to bind to low ports, as setcap cap_net_bind_service=ep writes it. */
static bool add_capability(void)
{
#ifdef __linux__
    const struct vfs_cap_data data = {
        .magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
        .data = {{.permitted = CAP_TO_MASK(CAP_NET_BIND_SERVICE)}},
    };
    return setxattr(copy, "security.capability", &data, XATTR_CAPS_SZ_2, 0) == 0;
#else
    return false;
#endif
}

static void check_capability(void)
{
    CHECK(copy_program());
    if (add_capability())
        check_raised("a capability");
    else
        puts("skipped: no program with a capability: the file system has none");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        _exit(strcmp(argv[1], "report") == 0 ? report() : 0);
    if (geteuid() != 0) {
        puts("skipped: only root can make programs with other rights");
        return 0;
    }
    const char *folder = test_make_folder();
    snprintf(copy, sizeof copy, "%s/copy", folder);
    CHECK_EQ(chmod(folder, 0755), 0);
    CHECK_EQ(setenv("REAP_CACHE_DIR", "/tmp/cache", 1), 0);
    CHECK_EQ(setenv("REAP_DUMP_KERNELS", "/tmp/dump", 1), 0);
    check_ordinary();
    check_set_user_id();
    check_capability();
    test_remove_folder(folder);
    return check_finish();
}
