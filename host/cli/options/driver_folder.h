#ifndef HOST_CLI_OPTIONS_DRIVER_FOLDER_H
#define HOST_CLI_OPTIONS_DRIVER_FOLDER_H

/* PoCL finds no device where it cannot write its folder for built kernels, as in containers and on clusters.
 * Then it gets a temporary one, by POCL_CACHE_DIR, which goes when the process ends. */

/* To be called before the first OpenCL call, with one thread. Further calls do nothing. */
void driver_folder_prepare(void);

/* Removes the temporary folder, if this process has made one. May be called by a signal handler. */
void driver_folder_remove(void);

/* Why PoCL has no folder that it can write, one phrase with the remedy; empty: it has one. */
const char *driver_folder_fault(void);

#endif
