# `cpack -G DEB` makes three packages for Debian: clalign (the program), libclalign0.1 (the shared library; the number is
# its soname's) and libclalign-dev. tools/make_packages configures for them, makes them, and says how they are checked.

set(clalign_soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(debian_folder ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clalign)
set(CPACK_PACKAGE_VENDOR "the clalign authors")
set(CPACK_PACKAGE_CONTACT "the clalign authors <maintainers@clalign.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PRE_BUILD_SCRIPTS ${debian_folder}/finish_packages.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME clalign)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "exact pairwise alignment of long sequences
clalign computes the optimal alignment of two long DNA or protein sequences,
not an approximation, in memory linear in their lengths, on any OpenCL device:
the CPU or a GPU.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclalign${clalign_soname})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "exact pairwise alignment of long sequences - library
libclalign computes the optimal alignment of two long DNA or protein
sequences, in memory linear in their lengths, on any OpenCL device.

This package has the shared library.")

# Programs linked with it need this package or a later one of the same soname; and the loader must hear of it.
file(CONFIGURE OUTPUT shlibs CONTENT
  "libclalign ${clalign_soname} libclalign${clalign_soname} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT triggers CONTENT "activate-noawait ldconfig\n")
# Each function is there since the first version of the soname: until 1.0 a patch version adds none.
file(STRINGS tools/libclalign.symbols exported)
list(TRANSFORM exported REPLACE "(.+)" " \\1@Base ${clalign_soname}.0")
list(JOIN exported "\n" exported)
file(CONFIGURE OUTPUT symbols CONTENT
  "libclalign.so.${clalign_soname} libclalign${clalign_soname} #MINVER#\n${exported}\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_BINARY_DIR}/shlibs ${CMAKE_CURRENT_BINARY_DIR}/symbols ${CMAKE_CURRENT_BINARY_DIR}/triggers)

# The packages of the libraries that the static library takes along: clalign.pc asks for them in any case.
set(development_needs "")
foreach(name ${clalign_libraries})
  list(APPEND development_needs ${${name}_package})
endforeach()
list(JOIN development_needs ", " development_needs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclalign-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libclalign${clalign_soname} (= ${PROJECT_VERSION}-1), ${development_needs}")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "exact pairwise alignment of long sequences - development files
libclalign computes the optimal alignment of two long DNA or protein
sequences, in memory linear in their lengths, on any OpenCL device.

This package has headers, the static library, and examples.")

include(CPack)
