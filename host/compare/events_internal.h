#ifndef HOST_COMPARE_EVENTS_INTERNAL_H
#define HOST_COMPARE_EVENTS_INTERNAL_H

#include "clalign/events.h"

/* How events are found: pieces are cut at long gaps into segments; segments get roles; what lies between and
 * beside them are events. */

/* What a segment is beside the backbone of its two records. */
typedef enum segment_role {
  SEGMENT_MOVED = 0, /* elsewhere: a relocation or a translocation */
  SEGMENT_SYNTENIC,  /* on the backbone */
  SEGMENT_INVERTED,  /* in its place on the other strand */
} segment_role;

/* A part of a primary piece without a long gap. Positions are those of forward strands. */
typedef struct segment {
  size_t query, target; /* records */
  cla_strand strand;
  int64_t query_begin, query_end, target_begin, target_end;
  int64_t letters;     /* pairs */
  size_t block, piece; /* where it is from */
  size_t rank;         /* place among all segments in the query's order */
  segment_role role;
  bool homologous; /* the two records are homologous */
  size_t group;    /* inverted segments of one event share it; from 1 */
  bool barred;     /* not on the backbone, because a larger inversion spans it */
} segment;

/* All segments. */
typedef struct segments {
  segment *items; /* by target record and place; owned */
  size_t count;
  size_t *by_query; /* indices by query record and place; owned */
  int64_t capacity;
} segments;

/* The growing list of events, and what it is made from. */
typedef struct event_finder {
  const cla_comparison *comparison;
  segments all;
  cla_events *out;
  int64_t capacity; /* of out->items */
  bool *swallowed;  /* by block: a further copy is the lesser part of an insertion or a loss; owned */
} event_finder;

/* Cuts the primary pieces. CLA_ERROR_MEMORY, CLA_ERROR_VERIFICATION. */
cla_status events_cut_pieces(event_finder *finder, cla_error *error);

/* Counts small variants of the primary pieces. */
void events_count_variants(event_finder *finder);

/* Fills homologies, and the segments' roles. CLA_ERROR_MEMORY. */
cla_status events_find_roles(event_finder *finder, cla_error *error);

/* Segments of two records in the order of the target, with their order in the query. */
typedef struct segment_list {
  size_t *items; /* indices of segments; owned */
  size_t *ranks; /* places in the query's order, from 0 to count - 1; owned */
  size_t count;
} segment_list;

/* Room for so many. CLA_ERROR_MEMORY; ends with segment_list_free, also after an error. */
cla_status segment_list_make(segment_list *out, size_t count, cla_error *error);
void segment_list_free(segment_list *list);

/* The heaviest chain of the allowed segments that runs up in the target and, by `strand`, up or down in the
 * query. Sets chosen[i] for those on it. CLA_ERROR_MEMORY. */
cla_status backbone_choose(bool *chosen, int64_t *letters, const segments *all, const segment_list *list,
                           const bool *allowed, cla_strand strand, cla_error *error);

/* Turns the list so that the heaviest chain of its strand is whole, where a record is circular.
 * CLA_ERROR_MEMORY. */
cla_status backbone_rotate(segment_list *list, const segments *all, const cla_comparison *comparison,
                           cla_strand strand, cla_error *error);

/* Gives the segments of two homologous records their roles. `circular`: both records are. *groups: groups of
 * inversions so far. CLA_ERROR_MEMORY. */
cla_status backbone_place(segment_list *list, segments *all, cla_strand strand, bool circular, size_t *groups,
                          cla_error *error);

/* Adds an event, and counts it. CLA_ERROR_MEMORY. */
cla_status events_add(event_finder *finder, const cla_event *event, cla_error *error);

/* Adds inversions, relocations and translocations. */
cla_status events_find_moves(event_finder *finder, cla_error *error);

/* Fills the roles of all pieces: that of most of a piece's letters. CLA_ERROR_MEMORY. */
cla_status events_list_piece_roles(event_finder *finder, cla_error *error);

/* Lists where moved letters have other neighbours. CLA_ERROR_MEMORY. */
cla_status events_find_adjacencies(event_finder *finder, cla_error *error);

/* Adds insertions, deletions and replacements between segments, and lists unaligned letters. */
cla_status events_find_gaps(event_finder *finder, cla_error *error);

/* Adds further copies by blocks that are no primary ones. */
cla_status events_find_copies(event_finder *finder, cla_error *error);

/* Whether an insertion or a deletion repeats letters beside it. Then the event becomes a tandem copy, and the
 * side without the letters gets the interval of the first copy. */
void events_look_for_tandem(cla_event *event, const cla_comparison *comparison);

/* Letters of one genome that a further copy has. */
typedef struct copy_letters {
  cla_interval at;
  size_t block;
  int64_t reach; /* the furthest end of the record's copies up to here */
} copy_letters;

/* All of them, in the order of the genome's records. */
typedef struct copy_list {
  copy_letters *items; /* owned */
  size_t count;
} copy_list;

/* Lists the copies' letters of the query (blocks of CLA_BLOCK_QUERY_COPY) or of the target. CLA_ERROR_MEMORY.
 */
cla_status copy_list_make(copy_list *out, const cla_comparison *comparison, bool query, cla_error *error);

/* The first copy that the letters of a record may be in, from `at` on; its record may be another one. */
size_t copy_list_find(const copy_list *copies, size_t record, int64_t at);

/* The block's letters of the query or the target: from its first to its last piece. */
cla_interval block_interval(const cla_block *block, bool query);

/* Letters of a record. */
static inline int64_t genome_letters(const cla_genome *genome, size_t record) {
  return cla_sequence_length(genome->records[record]);
}

static inline bool genome_is_circular(const cla_genome *genome, size_t record) {
  return genome->circular && genome->circular[record];
}

/* The segments of a record of one side lie together in that side's order. */
typedef struct segment_range {
  size_t first, count;
} segment_range;

segment_range segments_of_target(const segments *all, size_t record);
segment_range segments_of_query(const segments *all, size_t record);

/* The segment at a place of the query's order. */
static inline segment *segment_by_query(const segments *all, size_t rank) {
  return &all->items[all->by_query[rank]];
}

#endif
