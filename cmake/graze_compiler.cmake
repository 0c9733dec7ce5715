# How every target is compiled: language, warnings, floating point, sanitizers, instruction sets.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

function(graze_compile target)
  # Extensions of the C library are for src/base/platform.c, which asks for them itself; tests may use what they like.
  # Debug builds prove the bounds of every mesh that they make (src/mesh/validation.h).
  target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700 $<$<CONFIG:Debug>:GRAZE_VALIDATE>)
  # Keyed on the compiler, not the platform: gcc contracts a*b+c into fused multiply-add at its
  # own discretion, which would break the exact predicates and the promise of equal bits.
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math -fvisibility=hidden
      -fno-math-errno -fno-trapping-math
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
      -Wvla -Wundef -Wpointer-arith -Wwrite-strings)
    # snprintf into fixed buffers cuts long texts by design (paths and messages of errors).
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-format-truncation)
    endif()
    if(GRAZE_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  else()
    message(FATAL_ERROR "graze needs gcc or clang: it must be able to turn off the contraction of "
                        "floating-point expressions")
  endif()
  if(NOT GRAZE_IMPORTER)
    target_compile_definitions(${target} PRIVATE GRAZE_WITHOUT_IMPORTER)
  endif()
  if(GRAZE_FAULTS)
    target_compile_definitions(${target} PRIVATE GRAZE_FAULTS)
  endif()
  if(NOT GRAZE_SIMD)
    target_compile_definitions(${target} PRIVATE GRAZE_SCALAR)
  endif()
  if(GRAZE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${GRAZE_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      # The instrumentation confuses gcc's flow analysis; the other builds keep the warning.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
  graze_link(${target})
endfunction()

function(graze_link target)
  if(GRAZE_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${GRAZE_SANITIZE})
  endif()
endfunction()

# What single files are compiled with; for every target that has files of src among its sources.
# One body of code, compiled once per instruction set and chosen at run time by the processor: every
# src/*/*_avx2.c is compiled for AVX2 and FMA (base/processor.h); other files for the baseline.
function(graze_file_options target)
  if(GRAZE_SIMD AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    get_target_property(all ${target} SOURCES)
    foreach(source IN LISTS all)
      if(source MATCHES "_avx2\\.c$")
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
      endif()
    endforeach()
    target_compile_definitions(${target} PRIVATE GRAZE_HAVE_AVX2)
  endif()
  # One pair at a time: see the file.
  set(single -fno-tree-slp-vectorize)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND single --param=logical-op-non-short-circuit=0)
  endif()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/planar/distance/planar_single.c
    PROPERTIES COMPILE_OPTIONS "${single}")
  # gcc 12.2 for aarch64 ends with an internal error (vect_transform_reduction) where it would turn a
  # loop of these files into vectors. No query of graze_check() runs through them.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kinematics/motion_bound.c
      ${PROJECT_SOURCE_DIR}/src/motion/motion_edge.c
      PROPERTIES COMPILE_OPTIONS "-fno-tree-loop-vectorize")
  endif()
endfunction()
