# Embeds cl/*.cl and cl/*.clh: ${embedded_kernels_source} is made again when a kernel file changes, is added
# or is removed.

file(GLOB kernel_files CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/cl/*.cl ${CMAKE_CURRENT_SOURCE_DIR}/cl/*.clh)
list(SORT kernel_files)
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
