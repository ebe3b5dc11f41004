# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the headers with a manual page for each name, both libraries,
# the tool, its manual pages and completions for shells, the guides and examples, the CMake package
# and the pkg-config file. The last two find the rest from where they lie, so that an installed tree
# may be moved.
include(CMakePackageConfigHelpers)

# The public headers, in the order of reap(3). The library of MPI programs, with what belongs to it,
# is installed where it was built.
set(REAP_DOCUMENTED_HEADERS queue.h launch.h range.h kernel_words.h half.h bfloat16.h
    status.h event.h part.h buffer.h usm.h device.h compile.h native.h)
set(left_out_headers)
set(libraries reap_shared reap_static)
if(REAP_ALGORITHMS)
    list(APPEND REAP_DOCUMENTED_HEADERS algorithms.h)
    list(APPEND libraries reap_algorithms_shared reap_algorithms_static)
else()
    list(APPEND left_out_headers PATTERN "reap/algorithms.h" EXCLUDE)
endif()
list(APPEND REAP_DOCUMENTED_HEADERS version.h)
if(REAP_HAS_MPI)
    list(APPEND REAP_DOCUMENTED_HEADERS mpi.h)
else()
    list(APPEND left_out_headers PATTERN "reap/mpi.h" EXCLUDE)
endif()

# Everything that gets installed, in one target: `make` and `make install` build no tests.
add_custom_target(reap_product)
add_dependencies(reap_product ${libraries})

install(DIRECTORY include/reap DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" ${left_out_headers})
install(TARGETS ${libraries} EXPORT ReapTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(REAP_HAS_MPI)
    add_dependencies(reap_product reap_mpi_shared reap_mpi_static)
    install(TARGETS reap_mpi_shared reap_mpi_static EXPORT ReapMpiTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET reap)
    add_dependencies(reap_product reap)
    install(TARGETS reap RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    # Where Debian's shells look.
    install(FILES completions/reap.bash RENAME reap
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES completions/_reap DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES completions/reap.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Manual pages of section 3, made from the headers. Without awk, which every Debian has, there are
# none.
find_program(REAP_AWK awk)
mark_as_advanced(REAP_AWK)
if(REAP_AWK)
    set(pages ${PROJECT_BINARY_DIR}/man3)
    set(script ${PROJECT_SOURCE_DIR}/scripts/man-pages.awk)
    list(TRANSFORM REAP_DOCUMENTED_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/reap/
        OUTPUT_VARIABLE documented)
    add_custom_command(OUTPUT ${pages}/reap.3 DEPENDS ${script} ${documented}
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
        COMMAND ${REAP_AWK} -v version=${PROJECT_VERSION} -v folder=${pages} -f ${script}
            ${documented}
        VERBATIM)
    add_custom_target(reap_pages ALL DEPENDS ${pages}/reap.3)
    add_dependencies(reap_product reap_pages)
    install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
else()
    message(STATUS "manual pages of section 3 are left out: awk is not installed")
endif()

# The guides and examples, in folders as in the sources, so that their links lead somewhere.
set(documentation_directory ${CMAKE_INSTALL_DATAROOTDIR}/doc/reap)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${documentation_directory})
install(DIRECTORY docs examples DESTINATION ${documentation_directory}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "docs/man/*.1" PATTERN "*.[ch]"
    PATTERN "examples/Makefile" PATTERN "docs/reference" EXCLUDE)
file(RELATIVE_PATH include_directory /prefix/${documentation_directory}
    /prefix/${CMAKE_INSTALL_INCLUDEDIR})
file(CREATE_LINK ${include_directory} ${PROJECT_BINARY_DIR}/include SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/include DESTINATION ${documentation_directory})

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Reap)
configure_package_config_file(cmake/ReapConfig.cmake.in ${PROJECT_BINARY_DIR}/ReapConfig.cmake
    INSTALL_DESTINATION ${package_directory}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ReapConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ReapConfig.cmake ${PROJECT_BINARY_DIR}/ReapConfigVersion.cmake
    cmake/reap_embed_by_name.cmake
    DESTINATION ${package_directory})
install(EXPORT ReapTargets NAMESPACE Reap:: DESTINATION ${package_directory})
if(REAP_HAS_MPI)
    install(EXPORT ReapMpiTargets NAMESPACE Reap:: DESTINATION ${package_directory})
endif()

set(pkgconfig_directory ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${pkgconfig_directory} /prefix)
string(REGEX REPLACE "/$" "" pkgconfig_to_prefix ${pkgconfig_to_prefix})
list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE dl_libs)
list(JOIN dl_libs " " dl_libs)
configure_file(cmake/reap.pc.in ${PROJECT_BINARY_DIR}/reap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/reap.pc DESTINATION ${pkgconfig_directory})
if(REAP_ALGORITHMS)
    configure_file(cmake/reap_algorithms.pc.in ${PROJECT_BINARY_DIR}/reap_algorithms.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/reap_algorithms.pc DESTINATION ${pkgconfig_directory})
endif()
if(REAP_HAS_MPI)
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE mpi_cflags)
    list(JOIN mpi_cflags " " mpi_cflags)
    list(JOIN MPI_C_LIBRARIES " " mpi_libs)
    configure_file(cmake/reap_mpi.pc.in ${PROJECT_BINARY_DIR}/reap_mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/reap_mpi.pc DESTINATION ${pkgconfig_directory})
endif()
