#ifndef HOST_WRITE_CERTAINTY_TAGS_H
#define HOST_WRITE_CERTAINTY_TAGS_H

#include "write/writer.h"

/* Makes the text of the tag mg in `out`: margins of the columns as runs "length:margin", separated by commas.
 * An s follows in a block of class shift, an a in any other block. out->failed is set if memory runs out. */
void margins_text_make(text_memory *out, const cla_certificate *certificate, const cla_alignment *alignment);

#endif
