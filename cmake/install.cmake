# What `cmake --install` puts where, in parts, of which the first three are also the packages (packages.cmake):
#   program      the program, its tuning records and pages
#   library      the shared library
#   development  what programs need to be built with it: headers, the static library, clalign.pc, the CMake package,
#                the examples
#   mpi          clalign-mpi, where it was built

include(CMakePackageConfigHelpers)
set(clalign_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/clalign)
set(clalign_doc_folder ${CMAKE_INSTALL_DOCDIR})

# The shared library needs nothing further. The static one needs all that it is made with, so its targets are in a file
# of their own, which is read where that is there.
set_target_properties(clalign_shared PROPERTIES EXPORT_NAME clalign)
set_target_properties(clalign_dependencies PROPERTIES EXPORT_NAME static_dependencies)

install(TARGETS clalign COMPONENT program)
if(TARGET clalign-mpi) # a component of its own, because it needs MPI
  install(TARGETS clalign-mpi COMPONENT mpi)
  install(FILES docs/clalign-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
endif()
install(TARGETS clalign_shared EXPORT clalignSharedTargets
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS clalign_static clalign_dependencies EXPORT clalignStaticTargets
  ARCHIVE COMPONENT development)
install(EXPORT clalignSharedTargets NAMESPACE clalign:: DESTINATION ${clalign_cmake_folder} COMPONENT development)
install(EXPORT clalignStaticTargets NAMESPACE clalign:: DESTINATION ${clalign_cmake_folder} COMPONENT development)
install(DIRECTORY include/clalign DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY tuning/ DESTINATION ${CMAKE_INSTALL_DATADIR}/clalign/tuning COMPONENT program
  FILES_MATCHING PATTERN "*.txt")
install(FILES README.md DESTINATION ${clalign_doc_folder} COMPONENT program)
install(DIRECTORY docs DESTINATION ${clalign_doc_folder} COMPONENT program
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.json")
install(DIRECTORY examples DESTINATION ${clalign_doc_folder} COMPONENT development)

# clalign.pc finds everything from its own folder, so that an installed tree can be moved.
set(pc_folder ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix ${pc_folder} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
file(RELATIVE_PATH prefix_to_library ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH prefix_to_headers ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH prefix_to_data ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_DATADIR})
list(JOIN clalign_libraries " " clalign_pc_requires)
configure_file(cmake/clalign.pc.in clalign.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clalign.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

# Until 1.0 a new minor version may change the interface, and has another soname.
configure_package_config_file(cmake/clalignConfig.cmake.in clalignConfig.cmake
  INSTALL_DESTINATION ${clalign_cmake_folder})
write_basic_package_version_file(clalignConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clalignConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/clalignConfigVersion.cmake
  DESTINATION ${clalign_cmake_folder} COMPONENT development)
