#include "cli/batch/batch_budget.h"

#define KEPT_MOST (INT64_C(1) << 30)
#define AHEAD_MOST (INT64_C(8) << 20)
#define TEXT_MOST (INT64_C(1) << 28)
/* Parts of the budget. */
#define KEPT_SHARE 4
#define AHEAD_SHARE 64
#define TEXT_SHARE 16

static int64_t part(int64_t bytes, int64_t share, int64_t most) {
  return bytes > 0 && bytes / share < most ? bytes / share : most;
}

batch_budget batch_budget_share(int64_t memory_bytes, bool pairwise) {
  batch_budget out = {.kept_bytes = pairwise ? 0 : part(memory_bytes, KEPT_SHARE, KEPT_MOST),
                      .ahead_letters = part(memory_bytes, AHEAD_SHARE, AHEAD_MOST),
                      .text_bytes = part(memory_bytes, TEXT_SHARE, TEXT_MOST)};
  const int64_t read = pairwise ? 2 * out.ahead_letters : out.kept_bytes;
  if (memory_bytes > 0) out.memory_bytes = memory_bytes - read - out.text_bytes;
  if (memory_bytes > 0 && out.memory_bytes < 1) out.memory_bytes = 1;
  return out;
}
