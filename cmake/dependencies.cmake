# Libraries, all from the distribution, through pkg-config. README.md says what each is for.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# What the library links, by the names of pkg-config; clalign.pc and clalignConfig.cmake ask for the same.
set(clalign_libraries OpenCL htslib zlib libzstd libxxhash jansson cairo)
set(clalign_missing "")
set(OpenCL_package ocl-icd-opencl-dev)
set(htslib_package libhts-dev)
set(zlib_package zlib1g-dev)
set(libzstd_package libzstd-dev)
set(libxxhash_package libxxhash-dev)
set(jansson_package libjansson-dev)
set(cairo_package libcairo2-dev)
foreach(name ${clalign_libraries})
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${name})
  if(NOT ${name}_FOUND)
    list(APPEND clalign_missing ${${name}_package})
  endif()
endforeach()
if(clalign_missing)
  list(JOIN clalign_missing " " clalign_missing)
  message(FATAL_ERROR "missing libraries; on Debian: apt-get install ${clalign_missing} (or run tools/quickstart)")
endif()

# htslib's headers would store unaligned words as they are, which is undefined behaviour.
add_library(clalign_dependencies INTERFACE)
target_compile_definitions(clalign_dependencies INTERFACE
  CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_2_APIS
  HTS_ALLOW_UNALIGNED=0)
target_link_libraries(clalign_dependencies INTERFACE Threads::Threads m)
foreach(name ${clalign_libraries})
  target_link_libraries(clalign_dependencies INTERFACE PkgConfig::${name})
endforeach()

# For clalign-mpi, which is made where MPI is found.
find_package(MPI QUIET COMPONENTS C)

# For the tests.
pkg_check_modules(criterion QUIET IMPORTED_TARGET GLOBAL criterion)
pkg_search_module(parasail QUIET IMPORTED_TARGET GLOBAL parasail-1 parasail)
pkg_check_modules(edlib QUIET IMPORTED_TARGET GLOBAL edlib-1)
# WFA2 comes without a .pc file; its headers include each other from their own folder.
find_library(WFA2_LIBRARY wfa2)
find_path(WFA2_INCLUDE wfa2lib/wavefront/wavefront_align.h)
