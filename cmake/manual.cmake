# Man pages and completions of shells, which the program itself prints from its tables of options.

option(CLALIGN_MANUAL "Make man pages and completions by running the program that was built" ON)
if(NOT CLALIGN_MANUAL OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(manual_folder ${CMAKE_CURRENT_BINARY_DIR}/manual)
set(manual_files "")

# manual_file(FILE DESTINATION ARGUMENT...): what `clalign help ARGUMENT...` prints.
function(manual_file file destination)
  cmake_path(GET file PARENT_PATH folder)
  add_custom_command(OUTPUT ${manual_folder}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_folder}/${folder}
    COMMAND clalign help ${ARGN} > ${manual_folder}/${file}
    DEPENDS clalign VERBATIM)
  install(FILES ${manual_folder}/${file} DESTINATION ${destination})
  set(manual_files ${manual_files} ${manual_folder}/${file} PARENT_SCOPE)
endfunction()

manual_file(clalign.1 ${CMAKE_INSTALL_MANDIR}/man1 --man)
# The program's own list of commands.
set(command_list ${CMAKE_CURRENT_SOURCE_DIR}/host/cli/main.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${command_list})
file(STRINGS ${command_list} command_lines REGEX "&[a-z]+_command,")
list(TRANSFORM command_lines REPLACE ".*&([a-z]+)_command,.*" "\\1" OUTPUT_VARIABLE command_names)
foreach(name ${command_names})
  manual_file(clalign-${name}.1 ${CMAKE_INSTALL_MANDIR}/man1 --man ${name})
endforeach()
manual_file(bash/clalign ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completion bash)
manual_file(zsh/_clalign ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --completion zsh)
manual_file(fish/clalign.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completion fish)
add_custom_target(manual ALL DEPENDS ${manual_files})
