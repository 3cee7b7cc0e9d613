#include "support/own_file.h"

#include <stdlib.h>

#include "support/made_alignment.h"

char *own_folder, *own_path;

void own_file_begin(const char *name) {
  own_folder = made_folder();
  own_path = made_path(own_folder, name);
}

void own_file_end(void) {
  made_folder_remove(own_folder);
  free(own_path);
}
