#ifndef HOST_SCHEDULE_PACKED_SHORT_H
#define HOST_SCHEDULE_PACKED_SHORT_H

#include "pipeline/band_goals.h"
#include "pipeline/live_band.h"

/* The path of a short pair in its live band, row by row with directions of all cells: for bands of so few
 * cells that going along anti-diagonals (pipeline/live_band.h), twice, would cost more than what they hold.
 */

typedef enum short_outcome { SHORT_TRACED, SHORT_TOO_LARGE, SHORT_EMPTY } short_outcome;

/* Whether the values of a matrix of so many rows and columns are small enough. */
bool packed_short_takes(const cla_scoring *scoring, int32_t largest_score, int64_t rows, int64_t columns);

/* Follows the canonical path from the goal, a node in state H, up to *row and *column: its start, or a node
 * of the upper row or of the matrix' left border. No pair may be used. SHORT_TOO_LARGE beyond
 * input->cells_limit and SHORT_EMPTY where no path reaches the goal's value: nothing is added then. *cells
 * grows by those that were computed. CLA_ERROR_MEMORY. */
cla_status packed_short_trace(int64_t *row, int64_t *column, path *into, short_outcome *outcome,
                              int64_t *cells, const live_band_input *input, const band_goals *goals,
                              const band_node *goal, cla_error *error);

#endif
