# SPDX-License-Identifier: Apache-2.0
#
# reap_embed_by_name(target [directory...])
#
# For targets built with -ffile-prefix-map or -fmacro-prefix-map, under which __FILE__ names a path
# that may not exist, so that the assembler does not find the kernel files to embed. Lets it look
# for them by name in the directories that hold them instead (default: the target's source
# directory). The names of a target's kernel files must differ. docs/building.md has more.
function(reap_embed_by_name target)
    set(directories ${ARGN})
    if(NOT directories)
        get_target_property(directories ${target} SOURCE_DIR)
    endif()
    target_compile_definitions(${target} PRIVATE REAP_EMBED_BY_NAME)
    foreach(directory IN LISTS directories)
        get_filename_component(directory "${directory}" ABSOLUTE)
        target_compile_options(${target} PRIVATE "-Wa,-I,${directory}")
    endforeach()
endfunction()
