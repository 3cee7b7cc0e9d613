#ifndef HOST_COMPARE_EVENTS_INTERNAL_H
#define HOST_COMPARE_EVENTS_INTERNAL_H

#include "clalign/events.h"

/* How events are found: pieces are cut at long gaps into segments, and segments get roles. Events lie
 * between the segments and next to them. */

/* The role of a segment relative to the backbone of its two records. */
typedef enum segment_role {
  SEGMENT_MOVED = 0, /* elsewhere: a relocation or a translocation */
  SEGMENT_SYNTENIC,  /* on the backbone */
  SEGMENT_INVERTED,  /* in its place, but on the other strand */
} segment_role;

/* A part of a primary piece without long gaps. Positions are those on the forward strands. */
typedef struct segment {
  size_t query, target; /* indices of the records */
  cla_strand strand;
  int64_t query_begin, query_end, target_begin, target_end;
  int64_t letters;     /* number of pairs */
  size_t block, piece; /* indices of the block and the piece that contain it */
  size_t rank;         /* place among all segments in the order of the query */
  segment_role role;
  bool homologous; /* the two records are homologous */
  size_t group;    /* number of the segment's inversion, from 1; all segments of one inversion have the same
                      number */
  bool barred;     /* not allowed on the backbone, because a larger inversion spans it */
} segment;

/* All segments. */
typedef struct segments {
  segment *items; /* sorted by target record and position; owned */
  size_t count;
  size_t *by_query; /* indices of segments, sorted by query record and position; owned */
  int64_t capacity;
} segments;

/* The growing list of events, and the data from which it is made. */
typedef struct event_finder {
  const cla_comparison *comparison;
  segments all;
  cla_events *out;
  int64_t capacity; /* capacity of out->items */
  bool *swallowed;  /* for each block: true if it is a further copy that is a small part of an insertion or
                       deletion; owned */
} event_finder;

/* Cuts the primary pieces into segments. CLA_ERROR_MEMORY, CLA_ERROR_VERIFICATION. */
cla_status events_cut_pieces(event_finder *finder, cla_error *error);

/* Counts small variants of the primary pieces. */
void events_count_variants(event_finder *finder);

/* Sets the homologies and the segments' roles. CLA_ERROR_MEMORY. */
cla_status events_find_roles(event_finder *finder, cla_error *error);

/* Segments of two records in the order of the target, with their order in the query. */
typedef struct segment_list {
  size_t *items; /* indices of segments; owned */
  size_t *ranks; /* places in the query's order, from 0 to count - 1; owned */
  size_t count;
} segment_list;

/* Makes room for `count` segments. The caller calls segment_list_free, also after an error.
 * CLA_ERROR_MEMORY. */
cla_status segment_list_make(segment_list *out, size_t count, cla_error *error);
void segment_list_free(segment_list *list);

/* The segments that may be on a chain. */
typedef struct backbone_input {
  const segments *all;
  const segment_list *list;
  const bool *allowed; /* for each segment of the list */
} backbone_input;

/* Finds the heaviest chain of allowed segments that ascends in the target and, depending on `strand`, ascends
 * or descends in the query. Sets chosen[i] for the segments on it. CLA_ERROR_MEMORY. */
cla_status backbone_choose(bool *chosen, int64_t *letters, const backbone_input *from, cla_strand strand,
                           cla_error *error);

/* If a record is circular, rotates the list so that the heaviest chain on its strand is not split.
 * CLA_ERROR_MEMORY. */
cla_status backbone_rotate(segment_list *list, const segments *all, const cla_comparison *comparison,
                           cla_strand strand, cla_error *error);

/* Sets the roles of the segments of two homologous records. `circular`: both records are circular. *groups:
 * number of inversions so far. CLA_ERROR_MEMORY. */
cla_status backbone_place(segment_list *list, segments *all, cla_strand strand, bool circular, size_t *groups,
                          cla_error *error);

/* Adds an event and counts it. CLA_ERROR_MEMORY. */
cla_status events_add(event_finder *finder, const cla_event *event, cla_error *error);

/* Adds inversions, relocations and translocations. */
cla_status events_find_moves(event_finder *finder, cla_error *error);

/* Sets the roles of all pieces: each gets the role of most of its letters. CLA_ERROR_MEMORY. */
cla_status events_list_piece_roles(event_finder *finder, cla_error *error);

/* Lists the places where moved letters have different neighbours in the two genomes. CLA_ERROR_MEMORY. */
cla_status events_find_adjacencies(event_finder *finder, cla_error *error);

/* Adds insertions, deletions, replacements and contig ends, which are between segments. CLA_ERROR_MEMORY. */
cla_status events_find_gaps(event_finder *finder, cla_error *error);

/* Returns true if a linear record ends at a gap, within a record of the other genome. The gap is between two
 * segments that are neighbours in the query (`query`) or in the target; NULL: the end of the record. If both
 * records end there, this is a contig's end if one of them has several homologous records. */
bool events_is_contig_end(const event_finder *finder, const segment *left, const segment *right, bool query);

/* Counts the letters of both genomes, and lists unaligned ones. All other events must have been found.
 * CLA_ERROR_MEMORY. */
cla_status events_count_letters(event_finder *finder, cla_error *error);

/* Adds further copies from blocks that are not primary. */
cla_status events_find_copies(event_finder *finder, cla_error *error);

/* If an insertion or a deletion repeats the letters next to it, changes the event to a tandem copy. The side
 * without the letters then gets the interval of the first copy. */
void events_look_for_tandem(cla_event *event, const cla_comparison *comparison);

/* Letters of one genome that are in a further copy. */
typedef struct copy_letters {
  cla_interval at;
  size_t block;
  int64_t reach; /* largest end of the record's copies up to this one, itself included */
} copy_letters;

/* All copies, in the order of the genome's records. */
typedef struct copy_list {
  copy_letters *items; /* owned */
  size_t count;
} copy_list;

/* Lists the copies' letters in the query (blocks of CLA_BLOCK_QUERY_COPY) or in the target.
 * CLA_ERROR_MEMORY. */
cla_status copy_list_make(copy_list *out, const cla_comparison *comparison, bool query, cla_error *error);

/* Returns the index of the first copy that may contain letters of a record from `at` on. That copy may be in
 * a later record. */
size_t copy_list_find(const copy_list *copies, size_t record, int64_t at);

/* Returns the block's interval in the query or the target, from its first to its last piece. */
cla_interval block_interval(const cla_block *block, bool query);

/* Returns the number of letters in a record. */
static inline int64_t genome_letters(const cla_genome *genome, size_t record) {
  return cla_sequence_length(genome->records[record]);
}

static inline bool genome_is_circular(const cla_genome *genome, size_t record) {
  return genome->circular && genome->circular[record];
}

/* The segments of one record, which are consecutive in the order of its genome. */
typedef struct segment_range {
  size_t first, count;
} segment_range;

segment_range segments_of_target(const segments *all, size_t record);
segment_range segments_of_query(const segments *all, size_t record);

/* Returns the segment at a place in the order of the query. */
static inline segment *segment_by_query(const segments *all, size_t rank) {
  return &all->items[all->by_query[rank]];
}

#endif
