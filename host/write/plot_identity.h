#ifndef HOST_WRITE_PLOT_IDENTITY_H
#define HOST_WRITE_PLOT_IDENTITY_H

#include "write/plot_view.h"

#define PLOT_WINDOWS_MOST 200

/* What the path is like within `letters` letters of the target from `target` on. Query letters against a gap
 * count where the gap is. */
typedef struct plot_window {
  int64_t target;
  int64_t matches, columns; /* 0 columns: the path is not here */
} plot_window;

typedef struct plot_identity {
  int64_t letters; /* of a window; the last one may have fewer */
  int64_t count;
  plot_window windows[PLOT_WINDOWS_MOST];
} plot_identity;

/* Of an alignment that fits the sequences and has a path; columns outside the view are left out. */
void plot_identity_count(plot_identity *out, const plot_view *view, const cla_alignment *alignment,
                         const cla_sequence *query, const cla_sequence *target);

#endif
