#include "seq/quiet_htslib.h"

#include <htslib/hts_log.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int depth;
static enum htsLogLevel saved;

void quiet_htslib_begin(void) {
  pthread_mutex_lock(&lock);
  if (depth++ == 0) {
    saved = hts_get_log_level();
    hts_set_log_level(HTS_LOG_OFF);
  }
  pthread_mutex_unlock(&lock);
}

void quiet_htslib_end(void) {
  pthread_mutex_lock(&lock);
  if (--depth == 0 && hts_get_log_level() == HTS_LOG_OFF) hts_set_log_level(saved);
  pthread_mutex_unlock(&lock);
}
