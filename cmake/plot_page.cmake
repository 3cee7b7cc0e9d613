# Embeds the pages that --plot x.html writes: ${plot_page_source} is made again when one changes.

set(plot_page_source ${CMAKE_CURRENT_BINARY_DIR}/plot_page.c)
set(plot_pages "/* Made by cmake/plot_page.cmake. */\n\n#include \"write/plots/plot_internal.h\"\n")
foreach(name plot_page records_page)
  set(page ${CMAKE_CURRENT_SOURCE_DIR}/host/write/plots/${name}.html)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
  string(APPEND plot_pages "\nconst char ${name}[] = {${bytes}0};\n")
endforeach()
file(CONFIGURE OUTPUT ${plot_page_source} @ONLY CONTENT "@plot_pages@")
