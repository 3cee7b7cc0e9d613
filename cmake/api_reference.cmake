# `cmake --build build --target api_reference` makes the reference of the public headers, where doxygen is there.

find_program(doxygen_program doxygen)
if(doxygen_program)
  set(api_folder ${CMAKE_CURRENT_BINARY_DIR}/api)
  file(MAKE_DIRECTORY ${api_folder})
  configure_file(docs/Doxyfile.in Doxyfile @ONLY)
  add_custom_target(api_reference
    COMMAND ${doxygen_program} ${CMAKE_CURRENT_BINARY_DIR}/Doxyfile
    COMMENT "Making the reference of the library in ${api_folder}/html"
    VERBATIM)
endif()
