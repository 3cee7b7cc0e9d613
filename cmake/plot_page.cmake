# Embeds the page that --plot x.html writes: ${plot_page_source} is made again when it changes.

set(plot_page ${CMAKE_CURRENT_SOURCE_DIR}/host/write/plots/plot_page.html)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${plot_page})
file(READ ${plot_page} plot_page_bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," plot_page_bytes ${plot_page_bytes})
set(plot_page_source ${CMAKE_CURRENT_BINARY_DIR}/plot_page.c)
file(CONFIGURE OUTPUT ${plot_page_source} @ONLY CONTENT
  "/* Made by cmake/plot_page.cmake. */\n\n#include \"write/plots/plot_internal.h\"\n\nconst char plot_page[] = {@plot_page_bytes@0};\n")
