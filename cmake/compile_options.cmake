# How everything is compiled: an interface target that each target links.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

add_library(clalign_compile_options INTERFACE)
target_compile_definitions(clalign_compile_options INTERFACE _GNU_SOURCE)
target_compile_options(clalign_compile_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes)

if(CLALIGN_WERROR)
  target_compile_options(clalign_compile_options INTERFACE -Werror)
endif()

if(CLALIGN_SANITIZE)
  # For every target, the test helpers included: a mix of instrumented and plain objects misses errors.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(CLALIGN_BASELINE)
  add_compile_definitions(CLALIGN_BASELINE)
endif()

if(CLALIGN_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "CLALIGN_FUZZ needs clang with libFuzzer: run tools/fuzz")
  endif()
  # In a build folder of its own everything is instrumented, for the reason above, and fast enough to be run often.
  add_compile_options(-O1 -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer -Wno-pass-failed) # at -O1 loops that are to be vectorized are not
  add_link_options(-fsanitize=address,undefined)
endif()
