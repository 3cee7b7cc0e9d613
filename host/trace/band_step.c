#include "trace/band_step.h"

#include "trace/band_line.h"

cla_status band_step(band_place *at, uint8_t direction, path *into, cla_error *error) {
  if (at->state == BAND_H) {
    const int from = direction & BAND_FROM_MASK;
    if (from == BAND_FROM_START) {
      at->started = true;
      return CLA_OK;
    }
    if (from != BAND_FROM_PAIR) {
      at->state = from == BAND_FROM_E    ? BAND_E
                  : from == BAND_FROM_E2 ? BAND_E2
                  : from == BAND_FROM_F  ? BAND_F
                                         : BAND_F2;
      return CLA_OK;
    }
    at->row--;
    at->column--;
    return path_add(into, CLA_RUN_PAIR, 1, error);
  }
  const bool across = at->state == BAND_E || at->state == BAND_E2;
  const int opened = at->state == BAND_E    ? BAND_E_OPENED
                     : at->state == BAND_E2 ? BAND_E2_OPENED
                     : at->state == BAND_F  ? BAND_F_OPENED
                                            : BAND_F2_OPENED;
  if (across)
    at->column--;
  else
    at->row--;
  if (direction & opened) at->state = BAND_H;
  return path_add(into, across ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1, error);
}
