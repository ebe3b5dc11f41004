/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a classic NetCDF file: where its variables are, which libnetcdf does not tell (it
 * reads zeros where a file was cut off), and whether libnetcdf may see it.
 */
#ifndef CLI_NETCDF_HEADER_H
#define CLI_NETCDF_HEADER_H

#include "src/cli/failure.h"
#include "src/cli/read/source.h"

#include <stdbool.h>
#include <stdint.h>

/* Reads the header of the file: whether it is right, how many variables there are, and at which
 * byte each begins; the list is the caller's to free, also where it is not complete. To be called
 * before libnetcdf opens the file. */
bool cli_netcdf_read_header(const struct cli_source *source, uint64_t *variables, uint64_t **begins,
                            struct cli_failure *failure);

/* The bytes from a record of a record variable to its next one. */
bool cli_netcdf_record_bytes(int id, uint64_t *bytes, struct cli_failure *failure);

/* Notes what libnetcdf says of the status, and gives false. */
bool cli_netcdf_fail(int status, struct cli_failure *failure);

#endif
