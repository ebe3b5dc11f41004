# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the headers, both libraries, the tool, its manual pages and
# completions for shells, the CMake package and the pkg-config file. The last two find the rest from
# where they lie, so that an installed tree may be moved.
include(CMakePackageConfigHelpers)

# Everything that gets installed, in one target: `make` and `make install` build no tests.
add_custom_target(reap_product)
add_dependencies(reap_product reap_shared reap_static)

install(DIRECTORY include/reap DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(TARGETS reap_shared reap_static EXPORT ReapTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
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

set(pkgconfig_directory ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${pkgconfig_directory} /prefix)
string(REGEX REPLACE "/$" "" pkgconfig_to_prefix ${pkgconfig_to_prefix})
configure_file(cmake/reap.pc.in ${PROJECT_BINARY_DIR}/reap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/reap.pc DESTINATION ${pkgconfig_directory})
