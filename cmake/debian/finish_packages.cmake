# What only a package for Debian has: its copyright file and its changelog, compressed man pages, and zsh's completions
# where Debian's zsh looks. CPack runs this before it packs what was installed, a folder for each part.

set(package_of_program ${CPACK_DEBIAN_PROGRAM_PACKAGE_NAME})
set(package_of_library ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME})
set(package_of_development ${CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME})
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(seconds $ENV{SOURCE_DATE_EPOCH})
else()
  string(TIMESTAMP seconds %s UTC)
endif()
execute_process(COMMAND date -u -R -d @${seconds} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)

foreach(part program library development)
  set(package ${package_of_${part}})
  set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${part}/usr/share/doc/${package})
  if(NOT IS_DIRECTORY ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${part})
    message(FATAL_ERROR "the part ${part} is not in ${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
  endif()
  file(MAKE_DIRECTORY ${folder})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${folder}/copyright COPYONLY)
  file(WRITE ${folder}/changelog.Debian "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-\
${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packaged by the project itself.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9nf ${folder}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/program/usr/share)
file(GLOB pages ${share}/man/man1/*.1)
if(pages)
  execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
if(IS_DIRECTORY ${share}/zsh/site-functions)
  file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
endif()
