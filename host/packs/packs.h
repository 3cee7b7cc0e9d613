#ifndef HOST_PACKS_PACKS_H
#define HOST_PACKS_PACKS_H

#include "clalign/alignment.h"
#include "clalign/device.h"
#include "scoring/path_ends.h"
#include "scoring/score_table.h"

/* Many pairs at once on one device, a pair a lane (cl/packed.clh) or a chain (cl/chain_pairs.clh): scores and
 * canonical end nodes, the same as those of a sweep of each pair alone; and the canonical path of a pair, on
 * the host. */

/* What all pairs of a batch have in common. */
typedef struct packed_scheme {
  const cla_scoring *scoring;
  const score_table *table; /* of all letters that pairs may have (pair_letters_any_table); no used pairs */
  path_ends ends;
  int64_t path_bytes; /* that packed_trace may take for a pair; 0: chosen */
} packed_scheme;

/* What is known of H in some rows of a pair's matrix: no inner node of row (k + 1) step has more than most[k
 * stride]. */
typedef struct packed_rows {
  const int32_t *most; /* NULL: nothing is known */
  int64_t stride, step;
} packed_rows;

/* A pair and what is found of it. Codes are the letter codes of the two ranges, on the strand that is
 * aligned; the caller's. */
typedef struct packed_pair {
  const uint8_t *query, *target;
  int64_t query_letters, target_letters; /* >= 1 */
  int64_t score;                         /* out: the best one under the scheme */
  int64_t end_query, end_target; /* out: the canonical end node (docs/internals/exactness.md): letters before it */
  packed_rows rows; /* out: makes packed_trace several times as fast; the packer's, until its next call */
} packed_pair;

/* Whether a pair of such lengths can be packed on the device. Not taken are pairs that are too long for the
 * lanes' memory, or whose scores might pass 2^29. */
bool packed_takes(const cla_device_info *device, const packed_scheme *scheme, int64_t query_letters,
                  int64_t target_letters);

/* How many pairs fill the device once: fewer leave a part of it idle. */
int64_t packed_enough(const cla_device_info *device, const packed_scheme *scheme);

/* Whether a pair that would be in work for long after the others is shared out, and so none need be too long.
 */
bool packed_shares(const cla_device_info *device, const packed_scheme *scheme);

/* Whether pairs wait for the largest of those that share a vector; else each takes only its own time. */
bool packed_wants_alike(const cla_device_info *device, const packed_scheme *scheme);

/* Solves packs of one scheme on one device; keeps programs' and buffers' handles between calls. */
typedef struct packed packed;

/* `device` is the calling thread's while the packer is used (device_take), and `scheme` must outlive it.
 * CLA_ERROR_MEMORY. */
cla_status packed_create(packed **out, cla_device *device, const packed_scheme *scheme, cla_error *error);
void packed_free(packed *packer);

/* Solves all pairs, each of which packed_takes. They may be in any order and of any mixture of lengths: pairs
 * of about the same size are put together, so that few lanes idle; thousands at once are best. The first call
 * for scores of a kind compiles a kernel and tests it. CLA_ERROR_DEVICE (the driver fails, or the device
 * computes wrongly), CLA_ERROR_MEMORY. */
cla_status packed_solve(packed *packer, packed_pair *pairs, int64_t count, cla_error *error);

/* Bytes of the device's memory that a call may take from now on; 0, as at first: all that the device has.
 * With fewer it takes fewer pairs at once. A pair alone for which they are too few ends packed_solve with
 * CLA_ERROR_MEMORY; of pairs that packed_takes on a device with twice as much memory there is none. */
void packed_limit(packed *packer, int64_t device_bytes);

/* Gives back the device's memory that calls have left taken for the next ones. */
void packed_release(packed *packer);

/* Has packed_solve ask before each launch whether to go on; if not, it ends with CLA_ERROR_INTERRUPTED. NULL:
 * it does not ask. */
typedef bool (*packed_go_on)(void *user);
void packed_ask(packed *packer, packed_go_on go_on, void *user);

/* The canonical path of a pair. */
typedef struct packed_path {
  int64_t start_query, start_target; /* letters before it; an empty path starts where it ends */
  cla_run *runs; /* from start to end; from malloc, the caller's; NULL if there are none */
  size_t run_count;
  int64_t cells; /* computed on the way */
} packed_path;

/* Finds the path of a pair whose score and end node are known, on the calling thread, and several may do so
 * at once. For related pairs and for short paths it takes a small part of the matrix. CLA_ERROR_DEVICE if no
 * path has that score; CLA_ERROR_MEMORY, also where path_bytes are too few. */
cla_status packed_trace(packed_path *out, const packed_scheme *scheme, const packed_pair *pair,
                        cla_error *error);

#endif
