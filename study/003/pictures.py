"""Pictures of CUDA-SWat and of Cell-SWat's tiles."""

from pictures import DONE, KEPT, LATER, NOW, arrow, cells, rectangle, state, svg, text


def strip(x, y, diagonals, align, size=11):
    """Diagonals of 1, 2, 3 ... numbers one behind the other, each at a multiple of `align`."""
    parts, at = [], 0
    for length in range(1, diagonals + 1):
        colour = NOW if length == diagonals else DONE
        parts += [rectangle(x + (at + k) * size, y, size, 14, colour) for k in range(length)]
        rest = -(at + length) % align
        parts += [rectangle(x + (at + length + k) * size, y, size, 14, "#fff") for k in range(rest)]
        at += length + rest
    parts += [f'<line x1="{x + k * size}" y1="{y - 4}" x2="{x + k * size}" y2="{y + 18}" stroke="#222" stroke-width="1.5"/>'
              for k in range(0, at + 1, 4)]
    return parts


def diagonals_in_memory():
    parts = cells(5, 6, lambda i, j: state(i + j, 4), lambda i, j: "abcdefghij"[i + j])
    return svg(340, 140, parts + strip(4, 112, 5, 1) + [text(124, 24, "a letter: a diagonal"), text(124, 46, "below: memory. Its numbers are"),
                                                        text(124, 61, "neighbours now, and several are"), text(124, 76, "computed by one instruction")])


def offload():
    return svg(340, 126, [text(4, 16, "memory; lines: where 64 bytes move at once")] + strip(4, 30, 5, 1)
               + [text(4, 76, "orange: what the work-items of this launch write."), text(4, 92, "It begins between two lines."),
                  text(4, 114, "n + m launches, as many waits")])


def coalesced():
    return svg(340, 126, [text(4, 16, "white: room that stays empty")] + strip(4, 30, 5, 4)
               + [text(4, 76, "orange: what the work-items of this launch write."), text(4, 92, "It begins at a line.")])


def neighbour(x, y, words, fill_column, fill_row):
    parts = cells(5, 5, lambda i, j: fill_column if j == 0 else fill_row if i == 0 else LATER, x=x, y=y, size=12)
    return parts + [text(x + 66, y + 36, words)]


def tile_with_borders():
    tile = cells(5, 5, lambda i, j: KEPT if i == 0 or j == 0 else NOW if i == 4 or j == 4 else DONE, x=4, y=20, size=12)
    return (tile + [text(4, 14, "a tile, done")] + neighbour(150, 6, "tile to the right", NOW, KEPT) + neighbour(150, 80, "tile below", KEPT, NOW)
            + [arrow(66, 50, 146, 36), arrow(40, 84, 146, 104)])


def copied_by_one():
    return svg(340, 160, tile_with_borders() + [text(4, 106, "one work-item,"), text(4, 121, "number by number,"), text(4, 136, "31 others wait")])


def ored():
    whole = [rectangle(150, 6, 60, 60, "none", "#c0392b", 2.5), rectangle(150, 80, 60, 60, "none", "#c0392b", 2.5)]
    return svg(340, 160, tile_with_borders() + whole + [text(4, 106, "all work-items,"), text(4, 121, "red: the whole tile"), text(4, 136, "is ORed, 0s too")])


def rows_of_tiles():
    step = lambda i, j: 8 * (i // 2) + i % 2 + j
    return svg(330, 110, cells(4, 8, lambda i, j: state(step(i, j), 5), step)
               + [text(158, 24, "two threads, a row of tiles each"), text(158, 42, "numbers: when; orange: now"), text(158, 64, "a tile waits for the one above;"),
                  text(158, 80, "then rows 2 and 3")])
