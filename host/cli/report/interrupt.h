#ifndef HOST_CLI_REPORT_INTERRUPT_H
#define HOST_CLI_REPORT_INTERRUPT_H

#include <stdbool.h>

/* SIGINT and SIGTERM. A command starts in the immediate phase, where there is nothing to clean up and a read
 * from a terminal may never return: the signal ends the process with EXIT_INTERRUPTED. In the deferred phase
 * it only sets a flag that the command asks for. */

/* Installs the handlers, in the immediate phase, and ignores SIGPIPE and SIGXFSZ, so that a reader that went
 * away is an error of one write and not the end of a long computation. */
void interrupt_install(void);

/* From now on a crash, which is a driver's as a rule, leaves no temporary folder behind. Where virtual memory
 * is limited, crashes are always caught: that is told, and the process ends with EXIT_RESOURCE. */
void interrupt_catch_crashes(void);

/* If so, once more: drivers' compilers put handlers of their own in place (LLVM). */
void interrupt_catch_crashes_again(void);

/* From now on a signal in the immediate phase ends the process with EXIT_RESUMABLE: there is a run to go on
 * with. */
void interrupt_resumable(void);

void interrupt_defer(void);
void interrupt_immediate(void);

/* Whether a signal came in the deferred phase. */
bool interrupt_requested(void);

#endif
