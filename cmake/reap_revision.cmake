# SPDX-License-Identifier: Apache-2.0
# reap_revision(variable): the revision that is built, by git; empty outside a clone.
function(reap_revision variable)
    execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --always --dirty --abbrev=7
        --exclude=* OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(${variable} "${revision}" PARENT_SCOPE)
endfunction()
