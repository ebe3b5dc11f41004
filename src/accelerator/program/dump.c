/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel has several texts on one device (for different dimensions or threads), so the file name
 * contains a hash of the text. A later run of the program overwrites the files. The folder is not
 * created.
 */
#include "src/accelerator/program/program.h"

#include "src/accelerator/string_builder.h"
#include "src/core/config.h"
#include "src/core/status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { REASON_BYTES = 128 };

static reap_status fail(const char *path, int error)
{
    char reason[REASON_BYTES];
    if (strerror_r(error, reason, sizeof reason) != 0)
        reason[0] = '\0';
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "REAP_DUMP_KERNELS: '%s' cannot be written: %s",
                      path, reason);
}

/* Returns errno of a failure, or 0. */
static int write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t put = write(file, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return put < 0 ? errno : EIO;
        bytes += put;
        size -= (size_t)put;
    }
    return 0;
}

/* Does not follow a symbolic link at the path: other users may be able to write to the folder. */
static reap_status write_file(const char *path, const void *bytes, size_t size)
{
    const int file =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(path, errno);
    int error = write_all(file, (const char *)bytes, size);
    if (close(file) != 0 && error == 0)
        error = errno;
    return error == 0 ? REAP_OK : fail(path, error);
}

/* Appends a name as a part of a file's name: opencl:0 becomes opencl-0. */
static void add_name(struct reap__string *path, const char *name)
{
    for (; *name != '\0'; name++)
        reap__string_append(path, *name == ':' || *name == '/' ? "-" : name, 1);
}

static reap_status write_part(struct reap__string *path, const char *extension, const void *bytes,
                              size_t size)
{
    const size_t length = path->length;
    reap__string_add(path, extension);
    if (path->failed)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "REAP_DUMP_KERNELS: no memory for a path");
    const reap_status status = write_file(path->bytes, bytes, size);
    path->length = length;
    return status;
}

static reap_status write_binary(const struct reap__dump *dump, struct reap__string *path)
{
    const struct reap__binary *binary = dump->binary;
    const char *bytes = (const char *)binary->bytes;
    const bool is_cuda = dump->accelerator->driver->dialect == REAP__DIALECT_CUDA;
    const bool is_text = is_cuda && binary->size > 0 && bytes[binary->size - 1] == '\0' &&
                         memchr(bytes, '\0', binary->size) == bytes + binary->size - 1;
    return write_part(path, is_text ? ".ptx" : ".bin", bytes, binary->size - is_text);
}

static reap_status write_parts(const struct reap__dump *dump, struct reap__string *path)
{
    const bool is_cuda = dump->accelerator->driver->dialect == REAP__DIALECT_CUDA;
    REAP_TRY(write_part(path, is_cuda ? ".cu" : ".cl", dump->text, strlen(dump->text)));
    if (dump->log != NULL)
        REAP_TRY(write_part(path, ".log", dump->log, strlen(dump->log)));
    return dump->binary != NULL ? write_binary(dump, path) : REAP_OK;
}

reap_status reap__dump(const struct reap__dump *dump)
{
    const struct reap__config *config;
    struct reap__string path = {0};
    REAP_TRY(reap__config_get(&config));
    if (config->dump == NULL)
        return REAP_OK;
    reap__string_format(&path, "%s/", config->dump);
    add_name(&path, dump->kernel_name);
    reap__string_add(&path, ".");
    add_name(&path, dump->accelerator->device.info.name);
    reap__string_format(&path, ".%016llx",
                        (unsigned long long)reap__hash(0, dump->text, strlen(dump->text)));
    const reap_status status = write_parts(dump, &path);
    reap__string_release(&path);
    return status;
}
