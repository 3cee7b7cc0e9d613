/* Coalesced (Aji 2008, section 4.2.2, figure 4.26): as Offload, but each diagonal begins at a multiple of 64 bytes.
 *
 *   memory   | d0 - - - | d1 d1 - - | d2 d2 d2 - | d3 ...     Now what 16 work-items write goes to memory at once. What they read
 *            0          64          128                       is moved by one number for the neighbours above, so not all of it.
 *
 * The kernel is the same; the host says where diagonals begin (swat_origin). */

#include "swat_diagonal.clh"
