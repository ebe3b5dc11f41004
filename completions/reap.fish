# SPDX-License-Identifier: Apache-2.0
#
# Completion for fish: commands, options, types, devices and files.

complete -c reap -n __fish_use_subcommand -f
complete -c reap -n __fish_use_subcommand -a bench -d 'which device is faster, for which size'
complete -c reap -n __fish_use_subcommand -a compile -d 'checks whether kernel files compile'
complete -c reap -n __fish_use_subcommand -a describe -d 'statistics of the numbers in files'
complete -c reap -n __fish_use_subcommand -a devices -d 'the devices that kernels can run on'
complete -c reap -n __fish_use_subcommand -l version -d 'print the version'
complete -c reap -l help -d 'print how to use it'

set -l bench '__fish_seen_subcommand_from bench'
complete -c reap -n $bench -f
complete -c reap -n $bench -l device -x -a '(__fish_append , (reap devices --names 2>/dev/null))' \
    -d 'the devices, with commas'
complete -c reap -n $bench -l largest -x -d 'the most floats'
complete -c reap -n $bench -l seconds -x -d 'how long it may take, more or less'
complete -c reap -n $bench -l json -d 'print JSON instead of a table and charts'
complete -c reap -n $bench -l svg -r -F -d 'also draw a chart into this file'

set -l compile '__fish_seen_subcommand_from compile'
complete -c reap -n $compile -s I -x -a '(__fish_complete_directories)' \
    -d 'a folder where the compiler looks for headers, too'
complete -c reap -n $compile -s D -x -d 'a macro for the compiler'
complete -c reap -n $compile -l target -x \
    -a '(__fish_append , (reap devices --names 2>/dev/null) opencl cuda cuda:sm_80 cuda:sm_90)' \
    -d 'what to compile for, with commas'
complete -c reap -n $compile -l timeout -x -d 'how long a compiler may take'

set -l describe '__fish_seen_subcommand_from describe'
complete -c reap -n $describe -l type -x \
    -a 'bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128' \
    -d 'the files are raw numbers of this type'
complete -c reap -n $describe -l big-endian \
    -d 'the most significant byte of raw numbers comes first'
complete -c reap -n $describe -l offset -x -d 'skip so many bytes at the beginning'
complete -c reap -n $describe -l shape -x -d 'raw numbers are an array of this shape'
complete -c reap -n $describe -l list -d 'print what is in the files'
complete -c reap -n $describe -l columns -x -d 'these columns of a table, with commas'
complete -c reap -n $describe -l by -x -d 'describe groups of rows by this column'
complete -c reap -n $describe -l distinct -d 'count the different values of columns of text'
complete -c reap -n $describe -l separator -x -a ', \\; \\| : tab' \
    -d 'what is between the cells of a table'
complete -c reap -n $describe -l quote -x -a '\\" "\'" none' \
    -d 'what is around the cells of a table'
complete -c reap -n $describe -l decimal -x -a '. ,' -d 'what is before decimals'
complete -c reap -n $describe -l comment -x -a '\# % // none' -d 'how comments in a table begin'
complete -c reap -n $describe -l missing -x -d 'values of cells that mean there is none'
complete -c reap -n $describe -l header -d 'the first row of a table has the names of the columns'
complete -c reap -n $describe -l no-header -d 'the first row of a table has values'
complete -c reap -n $describe -l allow-outside \
    -d 'read what an HDF5 file says is in files outside its folder'
complete -c reap -n $describe -l timeout -x \
    -d 'how long the libraries of HDF5 and NetCDF may take for a piece'
complete -c reap -n $describe -l axis -x -d 'along this axis of an array'
complete -c reap -n $describe -l quantiles -x -d 'quantiles, such as 5%,50%,95%'
complete -c reap -n $describe -l histogram -d 'draw histograms'
complete -c reap -n $describe -l no-histogram -d 'draw none'
complete -c reap -n $describe -l transpose -d 'print a row for each column'
complete -c reap -n $describe -l no-transpose -d 'print a column for each column'
complete -c reap -n $describe -l digits -x -d 'round figures to so many significant digits'
complete -c reap -n $describe -l csv -d 'print comma-separated values'
complete -c reap -n $describe -l tsv -d 'print tab-separated values'
complete -c reap -n $describe -l json -d 'print a line of JSON for each data set'
complete -c reap -n $describe -l device -x -a '(reap devices --names 2>/dev/null)' \
    -d 'where the files are described'
complete -c reap -n $describe -l device-memory -x \
    -d 'how much of the memory of the device may be used'
complete -c reap -n $describe -l no-mpi -d 'describe the files in each process of mpirun'
complete -c reap -n $describe -l rate -d 'also print how fast a file was read'

set -l devices '__fish_seen_subcommand_from devices'
complete -c reap -n $devices -f
complete -c reap -n $devices -l names -d 'print the names only'
