#include "device/program.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* An unsaved program of a device that was closed while other devices were open. All pointers are owned. */
typedef struct waiting_program {
  cl_program program;
  char *key, *cache_path;
  struct waiting_program *next;
} waiting_program;

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* protects the fields below, and is held while binaries are made */
static int open_devices;
static waiting_program *waiting;

/* Saves a program's binary; false if that fails. The user need not know: the program is compiled again next
 * time. */
static bool save(cl_program program, const char *cache_path, const char *key) {
  size_t binary_bytes = 0;
  bool saved = false;
  /* The folder is prepared first, because PoCL takes long to make a binary. */
  if (!program_cache_prepare(cache_path) ||
      clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary_bytes, &binary_bytes, NULL) !=
          CL_SUCCESS ||
      binary_bytes == 0)
    return false;
  uint8_t *binary = malloc(binary_bytes);
  if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
    saved = program_cache_store(cache_path, key, binary, binary_bytes);
  free(binary);
  return saved;
}

static void free_waiting(waiting_program *one) {
  if (one->program) clReleaseProgram(one->program);
  free(one->key);
  free(one->cache_path);
  free(one);
}

/* Saves the waiting programs and the device's own. The caller holds the lock, and no other device is open. */
static void save_all(cla_device *device) {
  while (waiting) {
    waiting_program *one = waiting;
    waiting = one->next;
    save(one->program, one->cache_path, one->key);
    free_waiting(one);
  }
  for (device_program *program = device->programs; program; program = program->next) {
    if (!program->unsaved_key || !program->proved) continue;
    if (save(program->program, device->cache_path, program->unsaved_key)) device->builds.saved++;
    free(program->unsaved_key);
    program->unsaved_key = NULL;
  }
}

/* Makes the program wait until the last device is closed. The caller holds the lock. Without memory, the
 * program is not saved, and the next process compiles it again. */
static void let_wait(const cla_device *device, device_program *program) {
  waiting_program *one = calloc(1, sizeof *one);
  if (!one) return;
  if (allocate_text(&one->cache_path, device->cache_path, NULL) != CLA_OK ||
      clRetainProgram(program->program) != CL_SUCCESS) {
    free_waiting(one);
    return;
  }
  one->program = program->program;
  one->key = program->unsaved_key;
  program->unsaved_key = NULL;
  one->next = waiting;
  waiting = one;
}

void device_save_programs(cla_device *device) {
  for (device_program *program = device->programs; program; program = program->next) program->proved = true;
  pthread_mutex_lock(&lock);
  if (open_devices == 1) save_all(device);
  pthread_mutex_unlock(&lock);
}

void program_save_join(cla_device *device) {
  pthread_mutex_lock(&lock);
  open_devices++;
  device->counted = true;
  pthread_mutex_unlock(&lock);
}

void program_save_leave(cla_device *device) {
  if (!device->counted) return;
  pthread_mutex_lock(&lock);
  if (open_devices == 1) save_all(device);
  for (device_program *program = device->programs; program; program = program->next)
    if (program->unsaved_key && program->proved) let_wait(device, program);
  open_devices--;
  device->counted = false;
  pthread_mutex_unlock(&lock);
}
