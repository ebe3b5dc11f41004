/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a classic NetCDF file: the positions of its variables, which libnetcdf does not
 * return (it reads zeros for a truncated file), and whether it is safe for libnetcdf.
 */
#ifndef CLI_NETCDF_HEADER_H
#define CLI_NETCDF_HEADER_H

#include "tools/failure.h"
#include "tools/read/source.h"

#include <stdbool.h>
#include <stdint.h>

/* Reads the header of the file: whether it is valid, the number of variables, and the byte at which
 * each begins. The caller frees the list, also if it is not complete. Call it before libnetcdf
 * opens the file. */
bool cli_netcdf_read_header(const struct cli_source *source, uint64_t *variables, uint64_t **begins,
                            struct cli_failure *failure);

/* The bytes from a record of a record variable to its next one. */
bool cli_netcdf_record_bytes(int id, uint64_t *bytes, struct cli_failure *failure);

/* Records libnetcdf's text for the status, and returns false. */
bool cli_netcdf_fail(int status, struct cli_failure *failure);

#endif
