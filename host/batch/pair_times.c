#include "batch/pair_times.h"

#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "pipeline/pipeline.h"

/* What a pair costs besides its cells, on the host and in waiting for the device: of a pair without a path,
 * with PoCL on two cores. */
#define HOST_SECONDS 0.5e-3
/* The same of a pack, and of each pair in it. */
#define PACK_SECONDS 0.5e-3
#define PACKED_PAIR_SECONDS 5e-6
/* Cells a second of a compute unit where no record has timed the kernel: what is seen corrects that. */
#define UNIT_RATE 2e10
/* Of a pack's lanes. */
#define PACKED_RATE 2e10
/* What a traceback takes of the sweep's time, where no record says more. */
#define TRACEBACK_SHARE 0.5
/* Of how many pieces of a class the average is: what was measured before them fades. */
#define REMEMBERED 8
/* Classes between the smallest and the largest that were measured, for their times to show how they grow. */
#define SPAN_LEAST 5
/* Classes above the largest that was measured where the model says how times go on. */
#define BEYOND 6
/* The fit is made anew when so large a part of what was measured has been added. */
#define REFIT_PART 16
/* Where a pair takes so many times what it costs besides its cells, times grow as the cells do. */
#define CELLS_COUNT 4

int size_class_of(double cells) {
  int exponent = 0;
  frexp(cells, &exponent);
  return exponent < 1 ? 0 : exponent > SIZE_CLASSES ? SIZE_CLASSES - 1 : exponent - 1;
}

void pair_times_begin(pair_times *times, const cla_device_info *device, const cla_align_options *align,
                      int levels) {
  memset(times, 0, sizeof *times);
  times->device = *device;
  times->align = *align;
  times->levels = levels;
  times->way.alike = true;
}

/* The model of a class: by the plan for a square pair in the middle of it. Without a plan, as where a budget
 * is too small, the pair is taken to be a single tile: its own plan will say what is wrong. */
static void make_class(pair_times *times, int size) {
  class_model *model = &times->classes[size];
  const int64_t side = larger((int64_t)sqrt(1.5 * ldexp(1, size)), 1);
  cla_align_options align = times->align;
  score_table table;
  plan_input input;
  plan whole;
  *model = (class_model){.known = true, .cells = (double)side * (double)side, .width = 1};
  model->cell_seconds = 1 / UNIT_RATE * (align.score_only ? 1 : 1 + TRACEBACK_SHARE);
  if (align.strand == CLA_STRAND_BOTH) {
    align.strand = CLA_STRAND_FORWARD;
    model->cell_seconds *= 2;
  }
  if (align_input_make(&input, &table, &times->device, (const int64_t[]){side, side}, &align, NULL) !=
          CLA_OK ||
      plan_make(&whole, &input, NULL) != CLA_OK)
    return;
  const double strip_rows = (double)kernel_strip_rows(&whole.sweep);
  const double strips = ceil((double)side / strip_rows);
  const double tiles = ceil((double)side / (double)whole.sweep.tile_columns);
  model->width = strips * tiles / (tiles + 2 * (strips - 1)); /* of diagonals of tiles two apart */
  if (whole.predicted.sweep_seconds < 0) return;
  model->timed = true;
  const double busy = fmin(times->device.compute_units, model->width);
  const double strands = times->align.strand == CLA_STRAND_BOTH ? 2 : 1;
  model->cell_seconds =
      strands * (whole.predicted.sweep_seconds + whole.predicted.traceback_seconds) * busy / model->cells;
}

/* Compute units that a pair has at the level. */
static double units_of(const pair_times *times, int level) {
  return ldexp(times->device.compute_units, -level);
}

static class_model *model_of(pair_times *times, double cells) {
  const int size = size_class_of(cells);
  if (!times->classes[size].known) make_class(times, size);
  return &times->classes[size];
}

/* What a pair takes by the model, without what was measured. */
static double single_by_model(pair_times *times, double cells, int level) {
  const class_model *model = model_of(times, cells);
  return HOST_SECONDS + cells * model->cell_seconds / fmin(units_of(times, level), model->width);
}

/* What pairs of the class take at the level, as far as it was measured: at the nearest level where it was, as
 * many times as long as the model says. Count 0: nowhere. */
static times_seen seen_of_class(pair_times *times, int size, int level) {
  for (int distance = 1; distance < times->levels; distance++)
    for (int side = -1; side <= 1; side += 2) {
      const int other = level + side * distance;
      if (other < 0 || other >= times->levels) continue;
      times_seen seen = times->seen[METHOD_SINGLE][size][other];
      if (seen.count == 0) continue;
      seen.seconds *= single_by_model(times, seen.cells, level) / single_by_model(times, seen.cells, other);
      return seen;
    }
  return (times_seen){.count = 0};
}

static time_sample sample_of(double cells, double seconds) {
  const int64_t side = larger((int64_t)sqrt(cells), 1);
  return (time_sample){.rows = side, .columns = side, .seconds = seconds};
}

static double fitted(const time_model *model, double cells) {
  return model->constant + (model->per_row + model->per_column) * sqrt(cells) + model->per_cell * cells;
}

/* What classes take at a level. */
typedef struct class_samples {
  time_sample items[SIZE_CLASSES + 1];
  int count, least, most; /* classes */
  times_seen last;        /* of the largest */
} class_samples;

/* As it was measured, or with `others` also at other levels. */
static void take_samples(class_samples *out, pair_times *times, int level, bool others) {
  *out = (class_samples){.least = SIZE_CLASSES};
  for (int size = 0; size < SIZE_CLASSES; size++) {
    times_seen seen = times->seen[METHOD_SINGLE][size][level];
    if (seen.count == 0 && others) seen = seen_of_class(times, size, level);
    if (seen.count == 0) continue;
    out->items[out->count++] = sample_of(seen.cells, seen.seconds);
    if (size < out->least) out->least = size;
    out->most = size;
    out->last = seen;
  }
}

static bool is_enough(const class_samples *samples) {
  return samples->count > 1 && samples->most - samples->least >= SPAN_LEAST;
}

/* A constant, a part that grows with the letters, and one with the cells, as for tuning records: where only
 * some classes were measured, they tell of the others. Above the largest of them the model goes on, unless
 * they are large themselves. */
static void fit_level(pair_times *times, int level) {
  level_fit *fit = &times->fits[level];
  class_samples samples;
  *fit = (level_fit){.learned = times->learned};
  take_samples(&samples, times, level, false);
  if (!is_enough(&samples)) take_samples(&samples, times, level, true);
  if (!is_enough(&samples)) return;
  time_model_fit(&fit->model, samples.items, samples.count);
  fit->found = true;
  /* Pairs this large take time as their cells grow: so will larger ones. */
  const double cells = samples.last.cells, beyond = ldexp(cells, BEYOND);
  if (fit->model.per_cell * cells > fitted(&fit->model, cells) / 2 || samples.most + BEYOND >= SIZE_CLASSES)
    return;
  const double by_model = single_by_model(times, cells, level);
  const double ratio = by_model > CELLS_COUNT * HOST_SECONDS ? samples.last.seconds / by_model : 1;
  samples.items[samples.count++] = sample_of(beyond, ratio * single_by_model(times, beyond, level));
  time_model_fit(&fit->model, samples.items, samples.count);
}

/* What was measured of the class, at the level or at another one, else of the nearest class at the level, as
 * a multiple of what the model says; false: nothing. */
static bool find_ratio(double *ratio, const pair_times *times, batch_method method, int size, int level) {
  for (int distance = 0; distance < SIZE_CLASSES; distance++)
    for (int side = -1; side <= 1; side += 2) {
      const int other = size + side * distance;
      if (other < 0 || other >= SIZE_CLASSES) continue;
      for (int l = 0; l < times->levels; l++) {
        const times_seen *seen = &times->seen[method][other][(level + l) % times->levels];
        if (seen->count == 0 || (distance > 0 && l > 0)) continue;
        *ratio = seen->seconds / seen->model_seconds;
        return true;
      }
    }
  return false;
}

/* Of a method that was not used so far, what was seen of the other one: a device that is slower than
 * expected, because others use it too, is slower at both. Not where one pair cannot keep it busy, and is slow
 * for that. */
static double ratio_of(const pair_times *times, batch_method method, int size, int level) {
  const batch_method other = method == METHOD_SINGLE ? METHOD_PACKED : METHOD_SINGLE;
  double ratio = 1;
  if (find_ratio(&ratio, times, method, size, level)) return ratio;
  return times->way.alike && find_ratio(&ratio, times, other, size, level) ? ratio : 1;
}

double pair_times_single(pair_times *times, double cells, int level) {
  level_fit *fit = &times->fits[level];
  const int size = size_class_of(cells);
  if (times->learned - fit->learned > times->learned / REFIT_PART) fit_level(times, level);
  if (!fit->found) return single_by_model(times, cells, level) * ratio_of(times, METHOD_SINGLE, size, level);
  /* The more of the class itself was measured, the more it counts. */
  const times_seen *seen = &times->seen[METHOD_SINGLE][size][level];
  const double ratio = seen->count > 0 ? seen->seconds / fitted(&fit->model, seen->cells) : 0;
  return fitted(&fit->model, cells) * (1 + (double)seen->count * ratio) / (double)(1 + seen->count);
}

double pair_times_model(pair_times *times, batch_method method, double cells) {
  if (method == METHOD_SINGLE) return single_by_model(times, cells, 0);
  return PACKED_PAIR_SECONDS + cells / (PACKED_RATE * units_of(times, 0));
}

bool pair_times_timed(pair_times *times, batch_method method, double cells) {
  return method == METHOD_SINGLE && model_of(times, cells)->timed;
}

/* Lanes that are filled till the last pair of a pack is done, and those that wait for it. */
static double places_of(const pair_times *times, int64_t pairs) {
  const double enough = (double)times->way.enough;
  return times->way.enough > 0 ? ceil((double)pairs / enough) * enough : (double)pairs;
}

static double packed_by_model(const pair_times *times, const pack_load *load, int level) {
  const double rate = PACKED_RATE * units_of(times, level), pairs = (double)load->pairs;
  double seconds = load->cells / pairs * places_of(times, load->pairs) / rate;
  /* Where each pair has a place of its own, no pack is done before its largest pair. */
  if (times->way.shares)
    seconds = load->cells / rate;
  else if (!times->way.alike)
    seconds = fmax(load->cells / rate,
                   load->largest * (double)times->way.enough / (PACKED_RATE * units_of(times, 0)));
  return PACK_SECONDS + PACKED_PAIR_SECONDS * pairs + seconds;
}

double pair_times_packed(const pair_times *times, const pack_load *load, int level) {
  return packed_by_model(times, load, level) * ratio_of(times, METHOD_PACKED, load->size, level);
}

double pair_times_pack_cells(double *pair_cells, const pair_times *times, int size, int level,
                             double seconds) {
  const double rate = PACKED_RATE * units_of(times, level);
  *pair_cells = PACKED_PAIR_SECONDS * rate;
  return (seconds / ratio_of(times, METHOD_PACKED, size, level) - PACK_SECONDS) * rate;
}

/* What was measured at the level of the class nearest to this one; NULL: nothing. */
static const times_seen *nearest_at_level(const pair_times *times, int size, int level) {
  for (int distance = 0; distance < SIZE_CLASSES; distance++)
    for (int side = -1; side <= 1; side += 2) {
      const int other = size + side * distance;
      if (other < 0 || other >= SIZE_CLASSES) continue;
      if (times->seen[METHOD_SINGLE][other][level].count > 0)
        return &times->seen[METHOD_SINGLE][other][level];
    }
  return NULL;
}

/* Pairs that begin together and are computed one after the other take half of the time till the last is done,
 * on the average: how much is done in a second, that does not say. */
double pair_times_rate(pair_times *times, double cells, int level) {
  const times_seen *seen = nearest_at_level(times, size_class_of(cells), level);
  const double part = seen ? seen->device_seconds / seen->seconds : 1 / (double)(1 << level);
  return 1 / (part * pair_times_single(times, cells, level));
}

int pair_times_best_level(pair_times *times, double cells) {
  int best = 0;
  double most = 0;
  for (int level = 0; level < times->levels; level++) {
    const double rate = pair_times_rate(times, cells, level);
    if (rate <= most) continue;
    most = rate;
    best = level;
  }
  return best;
}

/* Averages of cells and of seconds, not of their quotients: of unlike pairs the small ones are those whose
 * quotient is large, and would make all seem slow. */
static void learn(times_seen *seen, double cells, double model_seconds, times_measured took) {
  if (!(took.seconds > 0) || !(took.device_seconds > 0)) return;
  seen->count++;
  const double part = 1 / (double)smaller(seen->count, REMEMBERED);
  seen->cells += part * (cells - seen->cells);
  seen->model_seconds += part * (model_seconds - seen->model_seconds);
  seen->seconds += part * (took.seconds - seen->seconds);
  seen->device_seconds += part * (took.device_seconds - seen->device_seconds);
}

void pair_times_learn_single(pair_times *times, double cells, int level, times_measured took) {
  learn(&times->seen[METHOD_SINGLE][size_class_of(cells)][level], cells, single_by_model(times, cells, level),
        took);
  times->learned++;
}

void pair_times_learn_packed(pair_times *times, const pack_load *load, int level, times_measured took) {
  learn(&times->seen[METHOD_PACKED][load->size][level], load->cells, packed_by_model(times, load, level),
        took);
}
