# What "cmake --install" puts where: headers, both libraries, the command, the robots and worlds
# that ship, the CMake package and the pkg-config file.

include(CMakePackageConfigHelpers)

list(TRANSFORM kinds TOLOWER OUTPUT_VARIABLE libraries)
list(TRANSFORM libraries PREPEND graze_)
install(TARGETS ${libraries} EXPORT graze_targets)
if(TARGET graze_localized) # in place of the other
  install(FILES ${localized}/libgraze.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT graze_targets NAMESPACE graze:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
configure_package_config_file(cmake/graze-config.cmake.in graze-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
write_basic_package_version_file(graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/graze-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
# Relative to the file itself, so that it is right wherever "cmake --install --prefix" puts it.
file(RELATIVE_PATH GRAZE_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/graze.pc.in graze.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(GRAZE_BUILD_COMMAND)
  install(TARGETS graze_command)
  if(GRAZE_IMPORTER)
    install(TARGETS graze_import DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/graze)
  endif()
  install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/graze)
  install(DIRECTORY urdf meshes worlds DESTINATION ${CMAKE_INSTALL_DATADIR}/graze)
  install(PROGRAMS examples/demo.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/graze/examples)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/docs/graze.1)
    install(FILES docs/graze.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/src/cli/completion.bash)
    install(FILES src/cli/completion.bash
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME graze)
    install(FILES src/cli/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _graze)
    install(FILES src/cli/completion.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME graze.fish)
  endif()
endif()
