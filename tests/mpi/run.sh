#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program by several ranks on this machine, by whichever user and on however few cores.
#
# Usage: run.sh MPIRUN RANKS PROGRAM [ARGUMENT...]
set -u
mpirun=$1 ranks=$2
case $mpirun in
*openmpi*)
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    options=(--oversubscribe --bind-to none)
    ;;
*) options=() ;;
esac
exec "$mpirun" "${options[@]}" -n "$ranks" "${@:3}" </dev/null
