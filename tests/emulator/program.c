/* Programs: the source goes to a folder of its own, emulator/compile makes a library of it. */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/emulator.h"

#define LOG_BYTES 65536

struct emulated_program {
  atomic_int uses;
  char *source, *options;
  void *library;
  char log[LOG_BYTES];
};

emulated_program *program_create(const char *source, size_t length) {
  emulated_program *program = calloc(1, sizeof *program);
  if (!program) return NULL;
  program->source = strndup(source, length);
  atomic_init(&program->uses, 1);
  return program;
}

void program_keep(emulated_program *program) {
  atomic_fetch_add(&program->uses, 1);
}

static bool write_source(const char *folder, const char *source) {
  char path[256];
  snprintf(path, sizeof path, "%s/program.cl", folder);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  const bool written = fputs(source, file) >= 0;
  return fclose(file) == 0 && written;
}

/* Runs a command and appends what it says to the log. */
static bool run(emulated_program *program, const char *command) {
  FILE *output = popen(command, "r");
  if (!output) return false;
  const size_t length = fread(program->log, 1, sizeof program->log - 1, output);
  program->log[length] = '\0';
  while (fgetc(output) != EOF) {
  }
  return pclose(output) == 0;
}

bool program_build(emulated_program *program, const char *options) {
  char folder[128], command[2048], path[256];
  const char *temporary = getenv("TMPDIR");
  bool built = false;
  snprintf(folder, sizeof folder, "%.100s/clalign-emulator.XXXXXX", temporary ? temporary : "/tmp");
  program->options = strdup(options ? options : "");
  if (!program->options || !mkdtemp(folder)) return false;
  snprintf(command, sizeof command, "LD_PRELOAD= '%s/compile' '%s' %s 2>&1", EMULATOR_FOLDER, folder,
           program->options);
  if (write_source(folder, program->source) && run(program, command)) {
    snprintf(path, sizeof path, "%s/program.so", folder);
    program->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!program->library) snprintf(program->log, sizeof program->log, "%s", dlerror());
    built = program->library != NULL;
  }
  snprintf(command, sizeof command, "LD_PRELOAD= rm -rf '%s'", folder);
  if (system(command) != 0) emulator_stop("cannot remove %s", folder);
  return built;
}

const char *program_log(const emulated_program *program) {
  return program->log;
}

const char *program_options(const emulated_program *program) {
  return program->options;
}

kernel_function *program_kernel(const emulated_program *program, const char *name) {
  kernel_function *function = NULL;
  void *symbol = program->library ? dlsym(program->library, name) : NULL;
  memcpy(&function, &symbol, sizeof symbol); /* C has no cast from an object to a function */
  return function;
}

void program_free(emulated_program *program) {
  if (atomic_fetch_sub(&program->uses, 1) > 1) return;
  if (program->library) dlclose(program->library);
  free(program->source);
  free(program->options);
  free(program);
}
