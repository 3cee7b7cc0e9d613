#ifndef HOST_SEARCH_CLASS_TIMES_H
#define HOST_SEARCH_CLASS_TIMES_H

/* How long the tuning goes on, by how the size classes so far have kept to their shares of the time. Zero
 * before the first. */
typedef struct class_times {
  double began; /* the class in work, which has */
  double share; /* so many seconds; 0: none is in work */
  int left;     /* classes, with it */
  double used;  /* the largest part of its share that a class has used; 0: none has ended */
  double least; /* seconds that the last one has taken, if more than its share; else 0 */
} class_times;

/* A class begins that may take `share` seconds, as each of the `left` that are left, itself included. */
void class_times_begin(class_times *times, double now, double share, int left);
void class_times_end(class_times *times, double now);

/* Seconds until the last class ends, about. */
double class_times_left(const class_times *times, double now);

#endif
