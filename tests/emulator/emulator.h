#ifndef TESTS_EMULATOR_EMULATOR_H
#define TESTS_EMULATOR_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A GPU of NVIDIA's on the CPU, as a library that is loaded before OpenCL's (tests/README.md). opencl.c and
 * queue.c are OpenCL, program.c compiles, memory.c has the buffers, warps.c runs work-items, and faults.c
 * tells what they must not do. */

/* Work-items of a warp, and the most that a work-group has. */
#define WARP_ITEMS 32
#define GROUP_ITEMS_MOST 256

#define KERNEL_ARGUMENTS_MOST 19

/* A kernel: all its arguments are pointers or integers of 64 bits. */
typedef void kernel_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                             uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                             uint64_t, uint64_t, uint64_t);

typedef struct emulated_launch {
  kernel_function *function;
  uint64_t arguments[KERNEL_ARGUMENTS_MOST];
  int64_t groups;
  int items; /* of a group */
} emulated_launch;

/* Runs all work-groups of the launch, in an order that `chance` draws. */
void emulator_run(const emulated_launch *launch);

/* Draws a number below `end`, from CLALIGN_EMULATOR_SEED on: the same in each run of a program. */
uint32_t chance(uint32_t end);

/* Ends the process: something that a GPU forbids, or that would hang it, or that the emulator lacks. */
_Noreturn void emulator_stop(const char *what, ...) __attribute__((format(printf, 1, 2)));

/* Memory of at least one byte between pages that nobody may touch, filled with what nobody expects. NULL if
 * there is none. */
void *memory_allocate(size_t bytes);
void memory_free(void *memory);

/* Leaves the memory there for one more memory_free. */
void memory_keep(void *memory);

/* Bytes of a buffer; stops the process where it is none. */
size_t memory_bytes(const void *memory);

/* Says in words where an address lies. For signal handlers: nothing is locked. */
void memory_describe(char *text, size_t size, const void *address);

/* While work-items run, a forbidden access ends the process with a word about it. */
void faults_begin(void);
void faults_end(void);

/* A program from source text. */
typedef struct emulated_program emulated_program;
emulated_program *program_create(const char *source, size_t length);
bool program_build(emulated_program *program, const char *options);
const char *program_log(const emulated_program *program);
const char *program_options(const emulated_program *program);
kernel_function *program_kernel(const emulated_program *program, const char *name);

/* One more use of it; and one less, of which the last one frees it. */
void program_keep(emulated_program *program);
void program_free(emulated_program *program);

#endif
