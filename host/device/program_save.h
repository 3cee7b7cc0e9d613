#ifndef HOST_DEVICE_PROGRAM_SAVE_H
#define HOST_DEVICE_PROGRAM_SAVE_H

#include "device/device.h"

/* When programs go into the folder of built programs. PoCL 3.1 makes a binary by compiling the kernel once
 * more and enters that where it looks up which kernel a command has run: a command of the same kernel that
 * runs meanwhile, in any queue of the process, ends the process with an assertion. A binary is therefore
 * asked for only while no other device is open; what is proved right before that waits for the last one to be
 * closed. */

/* An opened device counts from here to program_save_leave, which does nothing for one that does not count.
 * While binaries are being made, a thread waits in here. */
void program_save_join(cla_device *device);

/* Before the device's programs are freed. */
void program_save_leave(cla_device *device);

#endif
