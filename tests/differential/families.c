/* Kernel builds are what a run's time goes into: each has a set of families that share them. */

#include <stdlib.h>
#include <string.h>

#include "differential/modes.h"

typedef struct weighted {
  const kernel_variant *variant;
  int weight;
} weighted;

static const weighted variants[] = {{&kernel_vector8, 6}, {&kernel_vector16, 4}, {&kernel_vector32, 2},
                                    {&kernel_wave16, 1},  {&kernel_wave32, 2},   {NULL, 3}};

#define CHOSEN_LETTERS 100000
#define VARIANTS ((int)(sizeof variants / sizeof variants[0]))

int64_t draw_between(random_stream *stream, int64_t least, int64_t most) {
  return most <= least ? least : least + (int64_t)random_stream_below(stream, (uint64_t)(most - least) + 1);
}

bool draw_chance(random_stream *stream, int in) {
  return random_stream_below(stream, (uint64_t)in) == 0;
}

static const kernel_variant *draw_variant(random_stream *stream) {
  int sum = 0, i = 0;
  for (int v = 0; v < VARIANTS; v++) sum += variants[v].weight;
  int drawn = (int)random_stream_below(stream, (uint64_t)sum);
  while (drawn >= variants[i].weight) drawn -= variants[i++].weight;
  return variants[i].variant;
}

/* The lower values more often: they build faster, and short sequences have several strips of them. */
static int draw_listed(random_stream *stream, const int *values) {
  int count = 0;
  while (values[count]) count++;
  const uint64_t one = random_stream_below(stream, (uint64_t)count);
  const uint64_t other = random_stream_below(stream, (uint64_t)count);
  return values[one < other ? one : other];
}

/* Lanes and rows a lane that the device can run. */
static void draw_lanes(build_family *family, random_stream *stream, const cla_device_info *device) {
  char reason[160];
  if (!family->variant) return;
  for (int attempt = 0; attempt < 100; attempt++) {
    family->lanes = draw_listed(stream, family->variant->lanes);
    family->alpha = draw_listed(stream, family->variant->alphas);
    const kernel_config config = {.variant = family->variant,
                                  .lanes = family->lanes,
                                  .alpha = family->alpha,
                                  .tile_columns = family->lanes,
                                  .launch = KERNEL_DIAGONALS};
    if (!kernel_runs_on(&config, device, reason, sizeof reason)) continue;
    family->chosen.variant = family->variant;
    family->variant->choose(&family->chosen, device, CHOSEN_LETTERS, CHOSEN_LETTERS);
    return;
  }
  family->variant = NULL;
  family->lanes = family->alpha = 0;
}

static int draw_ends(random_stream *stream) {
  static const int groups[] = {ENDS_LOCAL, ENDS_LOCAL,       ENDS_LOCAL,       ENDS_EXTEND,     ENDS_FIXED,
                               ENDS_FIXED, ENDS_LAST_COLUMN, ENDS_LAST_COLUMN, ENDS_LAST_COLUMN};
  return groups[random_stream_below(stream, sizeof groups / sizeof groups[0])];
}

static void draw_family(build_family *family, random_stream *stream, const char *kernel, bool suspect,
                        const cla_device_info *device) {
  memset(family, 0, sizeof *family);
  family->variant = draw_variant(stream);
  family->gaps = (kernel_gaps)draw_between(stream, KERNEL_GAPS_LINEAR, KERNEL_GAPS_TWO_PIECES);
  family->lookup = draw_chance(stream, 2);
  family->ends = draw_ends(stream);
  if (suspect) { /* where most defects were */
    family->variant = &kernel_vector8;
    family->lookup = true;
    family->gaps = draw_chance(stream, 4) ? KERNEL_GAPS_LINEAR : KERNEL_GAPS_AFFINE;
    family->ends = draw_chance(stream, 2) ? ENDS_FIXED : ENDS_LAST_COLUMN;
  }
  if (kernel) family->variant = kernel_find(kernel);
  draw_lanes(family, stream, device);
  family->blocks = family->variant && draw_chance(stream, 6);
  if (family->blocks) { /* small plans have these */
    family->lanes = family->variant->lanes[0];
    family->alpha = family->variant->alphas[0];
  }
  family->several = family->ends == ENDS_LOCAL && draw_chance(stream, 3);
  family->circle = (family->ends == ENDS_LOCAL || family->ends == ENDS_FIXED) && draw_chance(stream, 6);
  family->batch = draw_chance(stream, 4);
}

void case_source_make(case_source *source, uint64_t seed, int count, const char *kernel,
                      const cla_device_info *device) {
  random_stream stream;
  memset(source, 0, sizeof *source);
  source->seed = seed;
  source->device = device;
  source->family_count = count;
  source->families = calloc((size_t)count, sizeof *source->families);
  if (!source->families) abort();
  random_stream_init(&stream, seed, 0);
  for (int i = 0; i < count; i++) draw_family(&source->families[i], &stream, kernel, i % 3 == 0, device);
}

void case_source_free(case_source *source) {
  free(source->families);
  source->families = NULL;
}
