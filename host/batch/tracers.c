#include "batch/tracers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"

struct tracers {
  int most;    /* that trace */
  int threads; /* of all */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int tracing, others; /* threads at work: on paths of packs, and on single pairs */
  atomic_bool full;    /* more are at work than there are threads: some of those that trace are to leave */
};

cla_status tracers_create(tracers **out, const trace_memory *memory, int threads, cla_error *error) {
  tracers *all = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&all, 1, sizeof *all, "the threads of a batch", error);
  if (status != CLA_OK) return status;
  all->most = memory->threads;
  all->threads = threads;
  const bool has_lock = pthread_mutex_init(&all->lock, NULL) == 0;
  if (has_lock && pthread_cond_init(&all->changed, NULL) == 0) {
    *out = all;
    return CLA_OK;
  }
  if (has_lock) pthread_mutex_destroy(&all->lock);
  free(all);
  return error_set(error, CLA_ERROR_MEMORY, "the lock of a batch cannot be made; free some memory");
}

void tracers_free(tracers *all) {
  if (!all) return;
  pthread_cond_destroy(&all->changed);
  pthread_mutex_destroy(&all->lock);
  free(all);
}

int tracers_count(const tracers *all) {
  return all->most;
}

/* The lock is held. */
static void note_change(tracers *all) {
  atomic_store(&all->full, all->tracing > 1 && all->tracing + all->others > all->threads);
  pthread_cond_broadcast(&all->changed);
}

void tracers_enter(tracers *all) {
  pthread_mutex_lock(&all->lock);
  while (all->tracing > 0 && (all->tracing >= all->most || all->tracing + all->others >= all->threads))
    pthread_cond_wait(&all->changed, &all->lock);
  all->tracing++;
  pthread_mutex_unlock(&all->lock);
}

void tracers_leave(tracers *all) {
  pthread_mutex_lock(&all->lock);
  all->tracing--;
  note_change(all);
  pthread_mutex_unlock(&all->lock);
}

void tracers_pass(tracers *all) {
  if (!atomic_load(&all->full)) return;
  tracers_leave(all);
  tracers_enter(all);
}

void tracers_give_way(tracers *all, int threads) {
  pthread_mutex_lock(&all->lock);
  all->others += threads;
  note_change(all);
  while (all->tracing > 1 && all->tracing + all->others > all->threads)
    pthread_cond_wait(&all->changed, &all->lock);
  pthread_mutex_unlock(&all->lock);
}

void tracers_come_back(tracers *all, int threads) {
  pthread_mutex_lock(&all->lock);
  all->others -= threads;
  note_change(all);
  pthread_mutex_unlock(&all->lock);
}
