# Writes a header that names the commit of SOURCE, touched only when that has changed.
cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE head
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed STREQUAL "0")
  set(commit ${head})
  execute_process(COMMAND git -C ${SOURCE} status --porcelain -- include src bench
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit " with changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define GRAZE_BENCH_COMMIT \"@commit@\"\n" @ONLY)
