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

/* What differs between two compared genomes, and where (docs/compare.md). The target is the reference. */

/* What has happened between target and query. */
typedef enum cla_event_kind {
  CLA_EVENT_INSERTION = 0,              /* letters of the query without a counterpart */
  CLA_EVENT_DELETION = 1,               /* letters of the target without a counterpart */
  CLA_EVENT_REPLACEMENT = 2,            /* letters of both at one place, too unlike to be aligned */
  CLA_EVENT_INVERSION = 3,              /* letters in their place on the other strand */
  CLA_EVENT_RELOCATION = 4,             /* letters at another place of their record */
  CLA_EVENT_INVERTED_RELOCATION = 5,    /* a relocation on the other strand */
  CLA_EVENT_TRANSLOCATION = 6,          /* letters in another record */
  CLA_EVENT_INVERTED_TRANSLOCATION = 7, /* a translocation on the other strand */
  CLA_EVENT_DUPLICATION = 8,            /* the query has a further copy of target letters */
  CLA_EVENT_TANDEM_DUPLICATION = 9,     /* a further copy beside the first one */
  CLA_EVENT_LOST_COPY = 10,             /* the target has a further copy of query letters */
  CLA_EVENT_LOST_TANDEM_COPY = 11,      /* a further copy of the target beside the first one */
} cla_event_kind;

/* The number of kinds. */
#define CLA_EVENT_KINDS 12

/* The index of no record. */
#define CLA_NO_RECORD SIZE_MAX

/* One event. Intervals are 0-based half-open on the records' forward strands. An interval without letters is
 * the place between two letters. */
typedef struct cla_event {
  cla_event_kind kind;              /* what has happened */
  size_t query, target;             /* indices of the records; CLA_NO_RECORD: no counterpart */
  cla_strand strand;                /* strand of the query beside the target: forward or reverse */
  int64_t query_begin, query_end;   /* letters of the query; beyond its length across a circle's origin */
  int64_t target_begin, target_end; /* letters of the target, likewise */
  /* Letters of the query for insertions and further copies, the larger side of a replacement, and letters of
   * the target for all others. */
  int64_t letters;
  bool within_piece; /* a gap of an exact alignment */
  /* Where the query has moved letters: beside the target letter at `place` of record `place_target`. Set for
   * relocations and translocations; CLA_NO_RECORD: no aligned letters are beside them. */
  size_t place_target;
  int64_t place; /* a position of that record */
} cla_event;

/* The counterpart of a query record. */
typedef struct cla_homology {
  size_t target;     /* the target record with most of its aligned letters; CLA_NO_RECORD: none are aligned */
  cla_strand strand; /* the strand of most of these letters */
  int64_t letters;   /* pairs of the two records */
  bool rotated;      /* both records are circular, and another query letter is at the target's begin */
  int64_t rotation;  /* position of that query letter on the forward strand; 0 unless rotated */
} cla_homology;

/* An interval of a record. */
typedef struct cla_interval {
  size_t record;      /* index of the record */
  int64_t begin, end; /* 0-based half-open */
} cla_interval;

/* One genome's letters. */
typedef struct cla_side_letters {
  int64_t letters;         /* letters of all records */
  int64_t shared;          /* letters that primary pieces pair */
  int64_t unaligned;       /* letters in no primary piece, and those in gaps of an event's least letters */
  int64_t longest;         /* index of the longest interval; -1: none */
  cla_interval *intervals; /* of unaligned letters, by record and place; owned */
  size_t interval_count;   /* number of intervals */
} cla_side_letters;

/* Classes of lengths of short gaps: 1, 2 to 4, 5 to 9, 10 to 49, 50 and more letters. */
#define CLA_INDEL_CLASSES 5

/* Small variants of all primary pieces. */
typedef struct cla_variant_counts {
  int64_t matches;                       /* equal pairs */
  int64_t mismatches;                    /* other pairs */
  int64_t insertions[CLA_INDEL_CLASSES]; /* gaps with query letters, by length */
  int64_t deletions[CLA_INDEL_CLASSES];  /* gaps with target letters, by length */
} cla_variant_counts;

/* What a piece is beside the others. */
typedef enum cla_piece_role {
  CLA_PIECE_SYNTENIC = 0,     /* on the backbone of two homologous records */
  CLA_PIECE_INVERTED = 1,     /* in its place on the other strand */
  CLA_PIECE_RELOCATED = 2,    /* elsewhere in homologous records */
  CLA_PIECE_TRANSLOCATED = 3, /* of records that are not homologous */
  CLA_PIECE_COPY = 4,         /* of a block that is not primary */
} cla_piece_role;

/* One side of an adjacency: target letters up to a place, or from it on. */
typedef struct cla_breakend {
  size_t target; /* index of the record */
  int64_t place; /* 0-based: between letters place - 1 and place */
  bool before;   /* the letters before the place are kept; else those behind it */
} cla_breakend;

/* Aligned letters that follow each other in the query and not in the target. */
typedef struct cla_adjacency {
  size_t query;                   /* index of the record */
  int64_t query_begin, query_end; /* the unaligned letters between them */
  cla_breakend ends[2];           /* in the query's order */
} cla_adjacency;

/* The events of a comparison. */
typedef struct cla_events {
  cla_event *items;                 /* by target record and place, those without a target last; owned */
  size_t count;                     /* number of events */
  size_t counts[CLA_EVENT_KINDS];   /* events of each kind */
  int64_t letters[CLA_EVENT_KINDS]; /* their letters */
  cla_adjacency *adjacencies;       /* of relocations and translocations, in the query's order; owned */
  size_t adjacency_count;           /* number of adjacencies */
  cla_piece_role *piece_roles;      /* of all blocks' pieces, block by block; owned */
  size_t *first_pieces;             /* by block: the index of its first piece in piece_roles; owned */
  cla_homology *homologies;         /* by query record; owned */
  cla_side_letters query, target;   /* the letters of either genome */
  cla_variant_counts variants;      /* in all primary pieces */
  int64_t least;                    /* least letters of an event */
} cla_events;

/* The least letters of an event, if none are given. */
#define CLA_EVENT_LEAST 50

/* Finds the events. The longest chain of collinear pieces of two homologous records is their backbone. A
 * piece beside it is inverted in its place or has moved. `least`: letters of an event; 0: CLA_EVENT_LEAST.
 * Errors: CLA_ERROR_VERIFICATION (alignments that do not fit the records), CLA_ERROR_MEMORY. End with
 * cla_events_free. */
cla_status cla_events_find(cla_events *out, const cla_comparison *comparison, int64_t least,
                           cla_error *error);

/* Frees what the events own. */
void cla_events_free(cla_events *events);

/* The kind's name, as in "tandem-duplication"; static. */
const char *cla_event_kind_name(cla_event_kind kind);

#ifdef __cplusplus
}
#endif

#endif
