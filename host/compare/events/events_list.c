/* The list of events, and the names of their kinds. */

#include "base/allocate.h"
#include "compare/events/events_internal.h"

static const char *const kind_names[CLA_EVENT_KINDS] = {"insertion",     "deletion",
                                                        "replacement",   "inversion",
                                                        "relocation",    "inverted-relocation",
                                                        "translocation", "inverted-translocation",
                                                        "duplication",   "tandem-duplication",
                                                        "lost-copy",     "lost-tandem-copy",
                                                        "contig-end"};

const char *cla_event_kind_name(cla_event_kind kind) {
  return (size_t)kind < CLA_EVENT_KINDS ? kind_names[kind] : "unknown";
}

cla_status events_add(event_finder *finder, const cla_event *event, cla_error *error) {
  cla_events *out = finder->out;
  cla_status status =
      ALLOCATE_GROW(&out->items, &finder->capacity, (int64_t)out->count + 1, "a comparison's events", error);
  if (status != CLA_OK) return status;
  out->items[out->count++] = *event;
  out->counts[event->kind]++;
  out->letters[event->kind] += event->letters;
  return CLA_OK;
}
