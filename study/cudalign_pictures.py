"""The pictures of papers 000 and 002: blocks, phases and stages."""

from pictures import DONE, KEPT, LATER, NOW, arrow, cells, frames, rectangle, state, svg, text

PATH = "#c0392b"


def line(points, colour=PATH, width=2):
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def polygon(points, fill):
    return f'<polygon points="{points}" fill="{fill}" stroke="#888" stroke-width="0.6"/>'


def one_row():
    colour = lambda i, j: NOW if (i, j) == (3, 4) else DONE if i == 3 and j < 4 or i == 2 and j >= 3 else LATER
    return svg(330, 116, cells(6, 8, colour) + [text(160, 20, "orange: now"), text(160, 38, "blue: in memory, one row"),
                                                text(160, 56, "white above: forgotten")])


def steps_of(rows, columns, x, label):
    """Work-items, a row each: the step in which each cell is computed."""
    parts = []
    for i in range(rows):
        for j in range(columns):
            step = i + j
            fill = NOW if step < rows - 1 or step > columns - 1 else DONE
            parts += [rectangle(x + j * 18, 22 + i * 18, 18, 18, fill), text(x + j * 18 + 9, 35 + i * 18, step, "middle")]
    return parts + [text(x, 15, label)]


def blocks_of_threads():
    words = [text(4, 110, "numbers: steps; orange: some work-items wait"), text(230, 35, "item 0"), text(230, 53, "item 1"),
             text(230, 71, "item 2"), text(230, 89, "item 3")]
    return svg(345, 118, steps_of(4, 12, 4, "one block: 4 work-items, 12 columns, 15 steps") + words)


def delegated_cells():
    parts = []
    for block in range(3):
        for i in range(4):
            for j in range(5):
                x = 62 + (block * 5 + j - i) * 17
                if x >= 4:
                    parts.append(rectangle(x, 22 + i * 18, 17, 18, (DONE, NOW, LATER)[block]))
    parts += [text(4, 15, "4 rows, 5 steps a block: nobody waits"), text(4, 110, "what is cut off at the right"),
              text(4, 124, "comes first in the block at the left, some rows below")]
    return svg(330, 130, parts)


def two_phases():
    parts = [text(4, 14, "a diagonal: blocks 2 and 3, two launches")]
    for x, y, name in ((150, 24, "2"), (60, 64, "3")):
        parts += [polygon(f"{x + 30},{y} {x + 60},{y} {x + 30},{y + 34} {x},{y + 34}", NOW),
                  polygon(f"{x + 60},{y} {x + 160},{y} {x + 130},{y + 34} {x + 30},{y + 34}", DONE),
                  text(x + 30, y + 21, f"{name}.1", "middle"), text(x + 95, y + 21, f"{name}.2", "middle")]
    parts += [rectangle(150, 58, 36, 5, PATH), text(4, 116, "orange: short phase, blue: long phase, after all short ones."),
              text(4, 130, "red: written by 2.1, read by 3.2")]
    return svg(345, 136, parts)


def two_steps():
    parts = [text(4, 16, "registers A"), text(4, 84, "registers B")]
    for k in range(5):
        x = 90 + 50 * k
        parts.append(rectangle(x - 12, 6 if k % 2 == 0 else 74, 24, 14, DONE if k < 4 else NOW))
        parts.append(text(x, 17 if k % 2 == 0 else 85, k, "middle"))
        if k:
            parts.append(arrow(x - 46, 26 if k % 2 else 68, x - 6, 68 if k % 2 else 26))
    return svg(330, 110, parts + [text(4, 106, "columns 0, 2, 4 in A, 1, 3 in B: nothing is moved")])


def strips(width, words):
    parts = []
    for i in range(4):
        for j in range(16 * 18 // width):
            parts.append(rectangle(4 + j * width, 6 + i * 18, width, 18, NOW if j + i == 6 else DONE if j + i < 6 else LATER))
    return svg(330, 104, parts + [text(4, 96, words)])


def lanes_32():
    return strips(36, "a vector of 32-bit lanes computes a diagonal at a time")


def lanes_narrow():
    return strips(9, "the same registers hold two or four times as many values")


MATRIX = [rectangle(4, 4, 150, 120, "#fff", "#222", 1)]
WAY = line("10,8 40,34 60,50 92,74 100,84 146,120")


def corner(points):
    return polygon(points, "#bbb")


def pruned_blocks():
    grid = []
    for i in range(10):
        for j in range(10):
            late = i + j > 8
            fill = "#bbb" if late and (j - i > 3 or i - j > 3) else DONE
            grid.append(rectangle(4 + j * 15, 4 + i * 12, 15, 12, fill))
    return svg(330, 128, grid + [WAY, text(165, 30, "grey: passed over"), text(165, 48, "only where a good score"), text(165, 63, "is already known")])


def bound_first():
    parts = [corner("40,4 154,4 154,90"), corner("4,36 4,124 110,124"), WAY]
    return svg(330, 128, MATRIX + parts + [text(165, 30, "grey: passed over,"), text(165, 45, "from the first row on")])


def halving():
    parts = [rectangle(4, 64, 150, 1, KEPT, KEPT), rectangle(4, 4, 75, 60, DONE), rectangle(79, 64, 75, 60, DONE), line("10,8 79,64 146,120")]
    return svg(330, 128, MATRIX + parts + [text(165, 24, "a node of the middle row"), text(165, 39, "is on the path"), text(165, 60, "blue: what is left, half of it")])


def rows_kept():
    return [rectangle(4, y, 150, 1.6, KEPT, KEPT) for y in (34, 64, 94)]


def special_rows():
    return svg(330, 128, MATRIX + rows_kept() + [text(165, 38, "blue: special rows, kept"), text(165, 110, "x: the best score, the end"),
                                                text(142, 122, "x", "middle", PATH)])


def dots(*points):
    return [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{PATH}"/>' for x, y in points]


def by_rows_backward():
    parts = [rectangle(4, y + 1, x - 4, 29, NOW) for x, y in ((146, 94), (116, 64), (78, 34), (40, 4))]
    return svg(330, 128, MATRIX + parts + rows_kept() + dots((146, 123), (116, 94), (78, 64), (40, 34), (10, 8)) +
               [text(165, 40, "orange: computed,"), text(165, 55, "all columns to the left"), text(165, 90, "dots: crosspoints")])


BOXES = ((116, 146, 94), (78, 116, 64), (40, 78, 34), (10, 40, 4))


def by_columns_backward():
    parts = [rectangle(a, y + 1, b - a, 29, NOW) for a, b, y in BOXES]
    kept = [rectangle(x, y + 1, 1.6, 29, KEPT, KEPT) for a, b, y in BOXES for x in (a + (b - a) / 3, a + 2 * (b - a) / 3)]
    return svg(330, 128, MATRIX + parts + rows_kept() + kept + dots((146, 123), (116, 94), (78, 64), (40, 34), (10, 8)) +
               [text(165, 40, "orange: computed, from right"), text(165, 55, "to left, up to the goal"), text(165, 90, "upright: special columns")])


def thirds():
    for a, b, y in BOXES:
        for k in range(3):
            yield a + (b - a) * k / 3, (b - a) / 3, y + 10 * k + 1


def by_columns_kept():
    parts = [rectangle(x, y, width, 10, NOW) for x, width, y in thirds()]
    return svg(330, 128, MATRIX + rows_kept() + parts + dots(*((x, y) for x, _, y in thirds())) +
               [text(165, 40, "orange: computed again,"), text(165, 55, "from crosspoint to column")])


def split_box(x, y, width, height, balanced, depth, parts):
    if depth == 0:
        parts.append(rectangle(x, y, width, height, NOW))
    elif balanced and width > height:
        split_box(x, y, width / 2, height / 2 if depth == 0 else height * 0.5, balanced, depth - 1, parts)
        split_box(x + width / 2, y + height * 0.5, width / 2, height * 0.5, balanced, depth - 1, parts)
    else:
        share = 0.5 if balanced else 0.3
        split_box(x, y, width * share, height / 2, balanced, depth - 1, parts)
        split_box(x + width * share, y + height / 2, width * (1 - share), height / 2, balanced, depth - 1, parts)


def halving_rows():
    parts = [rectangle(4, 4, 150, 60, "#fff", "#222", 1)]
    split_box(4, 4, 150, 60, False, 3, parts)
    return svg(330, 100, parts + [text(165, 24, "always at the middle row:"), text(165, 39, "wide partitions stay wide")])


def halving_balanced():
    parts = [rectangle(4, 4, 150, 60, "#fff", "#222", 1)]
    split_box(4, 4, 150, 60, True, 3, parts)
    return svg(330, 100, parts + [text(165, 24, "at the middle of the longer"), text(165, 39, "side: small in few rounds")])


def small_ones():
    parts = []
    for k in range(4):
        parts += cells(4, 4, lambda i, j: NOW if i == j or (k == 1 and i == 2 and j == 1) else LATER, x=4 + 32 * k, y=4 + 28 * k, size=8)
    return svg(330, 128, parts + [text(165, 40, "a small matrix each;"), text(165, 55, "orange: the path")])


def gaps_to_path():
    parts = [line("10,10 60,42 60,62 110,94 146,94 154,100"), rectangle(58, 42, 4, 20, KEPT), rectangle(110, 92, 36, 4, KEPT)]
    return svg(330, 118, parts + [text(165, 40, "blue: gaps; only they are kept"), text(165, 55, "between them: pairs")])


def six_stages():
    names = ("1 end, rows", "2 rows crossed", "3 columns crossed", "4 halved", "5 small ones", "6 path")
    parts = []
    for k, name in enumerate(names):
        parts += [rectangle(4, 6 + 20 * k, 150 / 3 ** k if k < 4 else 4, 14, NOW if k == 0 else DONE), text(165, 17 + 20 * k, name)]
    return svg(330, 130, parts)


def bands():
    parts = [polygon("4,4 34,4 60,34 30,34", DONE), polygon("40,34 78,34 104,64 64,64", DONE), polygon("70,64 108,64 128,94 92,94", NOW),
             polygon("104,94 140,94 154,110 154,124 130,124", LATER)]
    return svg(330, 128, MATRIX + parts + rows_kept() + [WAY, text(165, 40, "forward from each kept row,"), text(165, 55, "within a proven window"),
                                                         text(165, 82, "threads: blocks ahead")])
