#include "cli/options/default_folders.h"

#include <stdio.h>
#include <stdlib.h>

static bool find_folder(char out[CLI_FOLDER_SIZE], const char *variable, const char *below_home) {
  const char *base = getenv(variable), *home = getenv("HOME");
  int length = 0;
  if (base && base[0] == '/')
    length = snprintf(out, CLI_FOLDER_SIZE, "%s/clalign", base);
  else if (home && home[0] == '/')
    length = snprintf(out, CLI_FOLDER_SIZE, "%s/%s/clalign", home, below_home);
  if (length > 0 && length < CLI_FOLDER_SIZE) return true;
  out[0] = '\0';
  return false;
}

bool cli_cache_folder(char out[CLI_FOLDER_SIZE]) {
  return find_folder(out, "XDG_CACHE_HOME", ".cache");
}

bool cli_config_folder(char out[CLI_FOLDER_SIZE]) {
  return find_folder(out, "XDG_CONFIG_HOME", ".config");
}

bool cli_tuning_folder(char out[CLI_FOLDER_SIZE]) {
  char config[CLI_FOLDER_SIZE];
  const bool found = cli_config_folder(config);
  const int length = found ? snprintf(out, CLI_FOLDER_SIZE, "%s/tuning", config) : 0;
  if (length > 0 && length < CLI_FOLDER_SIZE) return true;
  out[0] = '\0';
  return false;
}
