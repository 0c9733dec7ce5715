# graze-import: the program in which assimp reads Collada, confined (src/import). It compiles the few
# files of the library that it needs, and leaves out sanitizers: its cage has no room for their
# shadow memory and their reports. The same files are sanitized where the library holds them.
function(graze_add_importer)
  set(GRAZE_SANITIZE "")
  file(GLOB import_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/import/*.c)
  set(shared_sources base/error.c base/memory.c mesh/soup.c load/assimp_io.c load/assimp_scene.c
                     load/mesh_input.c load/polygon.c)
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
