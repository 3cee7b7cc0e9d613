# Embeds the kernel files of cl/'s folders: ${embedded_kernels_source} is made again when one changes, is added or is
# removed.

file(GLOB kernel_files CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/cl/*/*.cl ${CMAKE_CURRENT_SOURCE_DIR}/cl/*/*.clh)
# By name, not by folder: tuning_signature hashes the files in this order, so a file that moves changes nothing.
list(SORT kernel_files COMPARE FILE_BASENAME)
list(JOIN kernel_files "\n" kernel_list)
set(kernel_list_file ${CMAKE_CURRENT_BINARY_DIR}/kernel_files.txt)
file(CONFIGURE OUTPUT ${kernel_list_file} CONTENT "${kernel_list}\n" @ONLY) # untouched when nothing changed

add_executable(embed_kernels ${CMAKE_CURRENT_SOURCE_DIR}/tools/embed_kernels.c)
target_link_libraries(embed_kernels PRIVATE clalign_compile_options)

set(embedded_kernels_source ${CMAKE_CURRENT_BINARY_DIR}/embedded_kernels.c)
add_custom_command(
  OUTPUT ${embedded_kernels_source}
  COMMAND embed_kernels ${embedded_kernels_source} ${kernel_list_file}
  DEPENDS embed_kernels ${kernel_list_file} ${kernel_files}
  COMMENT "Embedding the kernels of cl/"
  VERBATIM)
