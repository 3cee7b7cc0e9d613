#ifndef HOST_CLI_OPTIONS_DEFAULT_FOLDERS_H
#define HOST_CLI_OPTIONS_DEFAULT_FOLDERS_H

#include <limits.h>
#include <stdbool.h>

/* Where the program keeps things for the user, by the XDG Base Directory Specification. Nothing is created
 * here. False, and an empty text, where the environment names no place: neither the XDG variable nor HOME is
 * an absolute path (the specification wants relative ones ignored), or the path is too long. */

#define CLI_FOLDER_SIZE PATH_MAX

/* $XDG_CACHE_HOME/clalign, else $HOME/.cache/clalign: what may be deleted at any time. */
bool cli_cache_folder(char out[CLI_FOLDER_SIZE]);

/* $XDG_CONFIG_HOME/clalign, else $HOME/.config/clalign: what the user keeps. */
bool cli_config_folder(char out[CLI_FOLDER_SIZE]);

/* The folder of the user's tuning records, "tuning" in cli_config_folder. */
bool cli_tuning_folder(char out[CLI_FOLDER_SIZE]);

#endif
