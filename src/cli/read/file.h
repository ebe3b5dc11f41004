/* SPDX-License-Identifier: Apache-2.0
 *
 * Files, whatever their format: which data sets are in one. A data set is an array or a table. The
 * formats are listed in file.c, one line each.
 */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include "src/cli/failure.h"
#include "src/cli/read/array.h"
#include "src/cli/read/packing.h"
#include "src/cli/read/source.h"
#include "src/cli/read/table.h"

#include <stdbool.h>
#include <stddef.h>

/* What the command line says of files. */
struct cli_file_options {
    bool is_raw; /* raw numbers: of this element, from this byte on */
    struct cli_element element;
    uint64_t offset;
    struct cli_table_options table;
    bool allows_outside; /* data sets of HDF5 may be in files outside the folder of theirs */
    uint64_t seconds;    /* that a reader (reader.h) may take for an answer */
};

enum { CLI_DATASET_NAME_BYTES = 1024 };

struct cli_dataset {
    char name[CLI_DATASET_NAME_BYTES]; /* within the file: "/group/x"; "" where the file is one */
    char note[CLI_NOTE_BYTES];         /* what its first line tells further; "": nothing */
    struct cli_table *table;           /* NULL: an array; it belongs to the file */
    struct cli_array array;
};

struct cli_file {
    const char *called; /* as on the command line */
    const char *path;   /* within the file, of the one data set that is meant; "": all */
    const struct cli_file_options *options;
    struct cli_source *source;
    const struct cli_format *format;
    void *data;     /* the format's own */
    bool has_given; /* its data set, where it has but one */
    char *name;     /* the file's name itself */
};

enum cli_next { CLI_NEXT, CLI_NO_MORE, CLI_NEXT_FAILED };

/* A format: how a file of it is recognised, and how its data sets are read, one after the other.
 * What next gave lives until the following next or close. */
struct cli_format {
    const char *name;
    /* "a table": what a file of it is, which has one data set, and that has no name. NULL: it may
     * have several, with names, and the functions heed file->path. */
    const char *single;
    /* By the first bytes, and the name. */
    bool (*recognise)(const struct cli_file *file, const unsigned char *bytes, size_t count);
    bool (*open)(struct cli_file *file, struct cli_failure *failure); /* NULL: no need */
    /* Where the data set is single, it is called once. CLI_NEXT_FAILED: dataset->name is of the one
     * that failed; one may go on after it. */
    enum cli_next (*next)(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure);
    /* Has the array that next gave last be read from its beginning again; of a stream, for which
     * the file need not be opened again then. NULL: it must be. */
    bool (*rewind)(struct cli_file *file, struct cli_failure *failure);
    void (*close)(struct cli_file *file); /* also after open gave false */
};

/* Opens "FILE" or, where there is no file of this name, "FILE:PATH"; "-" is standard input. The
 * names and the options are borrowed. */
bool cli_file_open(struct cli_file *file, const char *called,
                   const struct cli_file_options *options, struct cli_failure *failure);
enum cli_next cli_file_next(struct cli_file *file, struct cli_dataset *dataset,
                            struct cli_failure *failure);
void cli_file_close(struct cli_file *file);

extern const struct cli_format cli_raw_format, cli_npy_format, cli_npz_format, cli_hdf5_format,
    cli_netcdf_format, cli_csv_format;

#endif
