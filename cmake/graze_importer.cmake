# assimp, which reads the meshes that graze has no reader for (src/import). Nothing of it is in the library or the
# command: only graze-import holds it, the program in which it runs confined.
#
# graze_assimp is the reader for the tests. graze-import compiles the few files of the library that it needs, and
# leaves out sanitizers: its confinement has no room for their shadow memory and their reports. The same
# files are sanitized in graze_assimp and in the library.
function(graze_add_importer)
  pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET "assimp >= 5.2")
  add_library(graze_assimp STATIC ${PROJECT_SOURCE_DIR}/src/import/assimp_scene.c)
  target_include_directories(graze_assimp PUBLIC ${PROJECT_SOURCE_DIR}/src)
  graze_compile(graze_assimp)
  target_link_libraries(graze_assimp PUBLIC graze_static PkgConfig::ASSIMP Threads::Threads m)

  set(GRAZE_SANITIZE "")
  file(GLOB import_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/import/*.c)
  set(shared_sources base/error.c base/field_table.c base/memory.c mesh/soup.c load/mesh/mesh_reader.c)
  list(TRANSFORM shared_sources PREPEND ${PROJECT_SOURCE_DIR}/src/)
  add_executable(graze_import ${import_sources} ${shared_sources})
  set_target_properties(graze_import PROPERTIES OUTPUT_NAME graze-import
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                        POSITION_INDEPENDENT_CODE ON)
  target_include_directories(graze_import PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/src)
  graze_compile(graze_import)
  target_link_libraries(graze_import PRIVATE PkgConfig::ASSIMP Threads::Threads m)
  # All symbols are bound at the start: no page that holds addresses of code stays writable.
  target_link_options(graze_import PRIVATE -Wl,-z,relro,-z,now)
endfunction()
