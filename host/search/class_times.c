#include "search/search_internal.h"

#include <math.h>

#define LEAST 1 /* least seconds left, for work that takes longer than planned */

void class_times_begin(class_times *times, double now, double share, int left) {
  times->began = now;
  times->share = share;
  times->left = left;
}

void class_times_end(class_times *times, double now) {
  const double seconds = now - times->began;
  times->used = fmax(times->used, seconds / times->share);
  times->least = seconds > times->share ? seconds : 0;
  times->left--;
}

/* Each class gets an equal share of the time that earlier classes leave. If they use only a part of their
 * shares, the time is not used up. If they take longer, the last class ends late or has no time. */
double class_times_left(const class_times *times, double now) {
  const double so_far = now - times->began;
  const double part = times->used > 0 && times->used < 1 ? times->used : 1;
  double unused = times->share * times->left, seconds = 0;
  for (int classes = times->left; classes > 0 && unused > 0; classes--) {
    const double own = classes == times->left ? so_far : 0; /* the class in work */
    const double one = fmax(fmax(part * unused / classes, times->least), own);
    seconds += one;
    unused -= one;
  }
  return fmax(seconds - so_far, LEAST);
}
