/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of all formats: the data sets in a file. A data set is an array or a table. CLI_FORMATS
 * lists the formats.
 */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include "tools/failure.h"
#include "tools/read/array.h"
#include "tools/read/packing.h"
#include "tools/read/source.h"
#include "tools/read/table.h"

#include <stdbool.h>
#include <stddef.h>

/* The command line's options about files. */
struct cli_file_options {
    bool is_raw; /* raw numbers, of `element`, from byte `offset` on */
    struct cli_element element;
    uint64_t offset;
    unsigned dimensions; /* of raw numbers; 0: one dimension, as long as the file */
    uint64_t shape[CLI_MOST_DIMENSIONS];
    struct cli_table_options table;
    bool allows_outside; /* data sets of HDF5 may be in files outside the file's folder */
    uint64_t seconds;    /* the time limit of an answer of a reader (reader.h) */
};

enum { CLI_DATASET_NAME_BYTES = 1024 };

struct cli_dataset {
    char name[CLI_DATASET_NAME_BYTES]; /* within the file: "/group/x"; "": the file is the data set
                                        */
    char note[CLI_NOTE_BYTES];         /* the rest of its first line in a report */
    struct cli_table *table;           /* NULL: an array; belongs to the file */
    struct cli_array array;
};

struct cli_file {
    const char *called; /* as on the command line */
    const char *path;   /* of the one data set to describe; "": all */
    const struct cli_file_options *options;
    struct cli_source *source;
    const struct cli_format *format;
    void *data;     /* the format's own */
    bool has_given; /* the data set of a format with one was returned */
    char *name;     /* the file's name itself */
};

enum cli_next { CLI_NEXT, CLI_NO_MORE, CLI_NEXT_FAILED };

/* A format: how a file is recognised, and how its data sets are read, one after the other. The
 * results of next are valid until the following next or close. */
struct cli_format {
    const char *name;
    /* For a format whose files have one data set without a name: its description, "a table". NULL:
     * files may have several data sets with names; the functions use file->path. */
    const char *single;
    /* Recognises a file by its first bytes, and its name. */
    bool (*recognise)(const struct cli_file *file, const unsigned char *bytes, size_t count);
    bool (*open)(struct cli_file *file, struct cli_failure *failure); /* NULL: not needed */
    /* Finds the next data set; called once if `single` is set. CLI_NEXT_FAILED: dataset->name is
     * the name of the one that failed, and next may be called again. */
    enum cli_next (*next)(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure);
    /* Restarts the last data set's array from its beginning, without opening the file again. NULL:
     * the file must be opened again. */
    bool (*rewind)(struct cli_file *file, struct cli_failure *failure);
    void (*close)(struct cli_file *file); /* also after open returned false */
};

/* Opens "FILE" or, if no file has this name, "FILE:PATH"; "-" is standard input. The names and the
 * options are borrowed. */
bool cli_file_open(struct cli_file *file, const char *called,
                   const struct cli_file_options *options, struct cli_failure *failure);
enum cli_next cli_file_next(struct cli_file *file, struct cli_dataset *dataset,
                            struct cli_failure *failure);
void cli_file_close(struct cli_file *file);

/* X(name): cli_NAME_format, in the order in which they are tried. Any text file is a table, so csv
 * is last. */
#define CLI_FORMATS(X) X(raw) X(npy) X(npz) X(netcdf) X(hdf5) X(csv)
#define CLI_FORMAT(name) extern const struct cli_format cli_##name##_format;
CLI_FORMATS(CLI_FORMAT)
#undef CLI_FORMAT

#endif
