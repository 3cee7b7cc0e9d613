#ifndef CLALIGN_EVENTS_H
#define CLALIGN_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The differences between two compared genomes, and where they are (docs/compare.md). The target is the
 * reference. */

/* The kinds of differences between target and query. */
typedef enum cla_event_kind {
  CLA_EVENT_INSERTION = 0,              /* letters of the query without a counterpart */
  CLA_EVENT_DELETION = 1,               /* letters of the target without a counterpart */
  CLA_EVENT_REPLACEMENT = 2,            /* letters of both at one place, too different to be aligned */
  CLA_EVENT_INVERSION = 3,              /* letters that are in their place, but on the other strand */
  CLA_EVENT_RELOCATION = 4,             /* letters that are at another place of their record */
  CLA_EVENT_INVERTED_RELOCATION = 5,    /* relocated letters on the other strand */
  CLA_EVENT_TRANSLOCATION = 6,          /* letters that are in another record */
  CLA_EVENT_INVERTED_TRANSLOCATION = 7, /* translocated letters on the other strand */
  CLA_EVENT_DUPLICATION = 8,            /* the query has a further copy of target letters */
  CLA_EVENT_TANDEM_DUPLICATION = 9,     /* a further copy next to the first one */
  CLA_EVENT_LOST_COPY = 10,             /* the target has a further copy of query letters */
  CLA_EVENT_LOST_TANDEM_COPY = 11,      /* a further copy in the target, next to the first one */
  CLA_EVENT_CONTIG_END =
      12, /* a linear record ends within a record of the other genome: letters without a
             counterpart beside that end; not a difference of the genomes, but of what is known */
} cla_event_kind;

/* The number of kinds. */
#define CLA_EVENT_KINDS 13

/* An index that means: no record. */
#define CLA_NO_RECORD SIZE_MAX

/* One event. Intervals are 0-based half-open on the records' forward strands. An empty interval is the place
 * between two letters. */
typedef struct cla_event {
  cla_event_kind kind;              /* kind of the event */
  size_t query, target;             /* indices of the records; CLA_NO_RECORD: no counterpart */
  cla_strand strand;                /* strand of the query relative to the target: forward or reverse */
  int64_t query_begin, query_end;   /* letters of the query; the end may be beyond a circle's length */
  int64_t target_begin, target_end; /* letters of the target, in the same form */
  /* Size of the event. For insertions and further copies in the query: its query letters; for replacements
   * and contig ends: the letters of the larger side; for all others: its target letters. */
  int64_t letters;
  bool within_piece; /* the event is a gap of an exact alignment */
  /* Where the query has the moved letters: next to the target letter at position `place` of record
   * `place_target`. Set for relocations and translocations. CLA_NO_RECORD: no aligned letters are next to the
   * moved letters. */
  size_t place_target;
  int64_t place; /* a position in that record */
} cla_event;

/* The homologous record of a query record. */
typedef struct cla_homology {
  size_t target;     /* the target record that has the largest number of letters aligned to the query record;
                      * CLA_NO_RECORD:
                        none */
  cla_strand strand; /* the strand of most of those letters */
  int64_t letters;   /* number of aligned pairs between the two records */
  bool rotated;      /* both records are circular, and they start at different places */
  int64_t rotation;  /* position, on the forward strand, of the query letter at the target's start; 0 unless
                        rotated */
} cla_homology;

/* An interval of a record. */
typedef struct cla_interval {
  size_t record;      /* index of the record */
  int64_t begin, end; /* 0-based half-open */
} cla_interval;

/* The letters of one genome: letters = shared + in_gaps + in_events + rest. */
typedef struct cla_side_letters {
  int64_t letters;   /* letters of all records */
  int64_t shared;    /* letters that are paired in primary pieces */
  int64_t in_gaps;   /* letters in gaps of primary pieces that are shorter than an event */
  int64_t unaligned; /* letters in no primary piece, or in a gap of at least an event's size */
  int64_t in_events; /* unaligned letters that an event has, contig ends included */
  int64_t rest;      /* all other unaligned letters: fewer than an event's in one place, or equal letters that
                        are not aligned, such as runs of N */
  int64_t longest;   /* index of the longest interval in `intervals`; -1: none */
  cla_interval *intervals; /* the unaligned letters, sorted by record and position; owned */
  size_t interval_count;   /* number of intervals */
  cla_interval *rests;     /* the letters of `rest`, in the same order; owned */
  size_t rest_count;       /* number of elements in `rests` */
} cla_side_letters;

/* Classes of short gaps by length: 1, 2 to 4, 5 to 9, 10 to 49, and at least 50 letters. */
#define CLA_INDEL_CLASSES 5

/* Counts of small variants in all primary pieces. */
typedef struct cla_variant_counts {
  int64_t matches;                       /* equal pairs */
  int64_t mismatches;                    /* other pairs */
  int64_t insertions[CLA_INDEL_CLASSES]; /* gaps with query letters, by class of length */
  int64_t deletions[CLA_INDEL_CLASSES];  /* gaps with target letters, by class of length */
} cla_variant_counts;

/* The role of a piece among all pieces. */
typedef enum cla_piece_role {
  CLA_PIECE_SYNTENIC = 0,     /* on the backbone of two homologous records */
  CLA_PIECE_INVERTED = 1,     /* in its place, but on the other strand */
  CLA_PIECE_RELOCATED = 2,    /* elsewhere, in homologous records */
  CLA_PIECE_TRANSLOCATED = 3, /* in records that are not homologous */
  CLA_PIECE_COPY = 4,         /* in a block that is not primary */
} cla_piece_role;

/* One side of an adjacency: the target letters before or after a place. */
typedef struct cla_breakend {
  size_t target; /* index of the record */
  int64_t place; /* 0-based: between letters place - 1 and place */
  bool before;   /* true: the letters before the place are kept; false: the letters after the place */
} cla_breakend;

/* Aligned letters that are adjacent in the query, but not in the target. */
typedef struct cla_adjacency {
  size_t query;                   /* index of the record */
  int64_t query_begin, query_end; /* the unaligned query letters between the aligned ones */
  cla_breakend ends[2];           /* in the order of the query */
} cla_adjacency;

/* The events of a comparison. */
typedef struct cla_events {
  cla_event *items; /* sorted by target record and position; events without a target come last; owned */
  size_t count;     /* number of events */
  size_t counts[CLA_EVENT_KINDS];   /* number of events of each kind */
  int64_t letters[CLA_EVENT_KINDS]; /* sum of `letters` over the events of each kind */
  cla_adjacency *adjacencies;       /* adjacencies of moved letters, in the order of the query; owned */
  size_t adjacency_count;           /* number of adjacencies */
  cla_piece_role *piece_roles;      /* roles of the pieces of all blocks, block by block; owned */
  size_t *first_pieces;             /* for each block, the index of its first piece in piece_roles; owned */
  cla_homology *homologies;         /* one per query record; owned */
  cla_side_letters query, target;   /* the letters of each genome */
  cla_variant_counts variants;      /* counts over all primary pieces */
  int64_t least;                    /* minimum number of letters of an event */
} cla_events;

/* Default of the minimum size of an event, in letters. */
#define CLA_EVENT_LEAST 50

/* Finds the events. The backbone of two homologous records is their longest chain of collinear pieces. A
 * piece that is not on the backbone is either inverted in its place or moved. `least`: minimum number of
 * letters of an event; 0: CLA_EVENT_LEAST. The caller frees *out with cla_events_free. CLA_ERROR_VERIFICATION
 * if an alignment does not fit its records; CLA_ERROR_MEMORY. */
cla_status cla_events_find(cla_events *out, const cla_comparison *comparison, int64_t least,
                           cla_error *error);

/* Frees the contents of `events`. */
void cla_events_free(cla_events *events);

/* Returns the name of the kind, such as "tandem-duplication"; a static string. */
const char *cla_event_kind_name(cla_event_kind kind);

#ifdef __cplusplus
}
#endif

#endif
