"""Pictures of the layouts: a slice of the matrix, and its memory as lines."""

from pictures import DONE, LATER, NOW, cells, rectangle, svg, text

ROWS, COLUMNS, STEP = 4, 8, 5
LINE = 4  # numbers that memory moves at once, here


def layout(place, words):
    """Numbers: where a cell lies. Orange: the cells of one step; below, memory, and which of its lines they touch."""
    now = {place(i, STEP - i) for i in range(ROWS)}
    size = 1 + max(place(i, j) for i in range(ROWS) for j in range(COLUMNS))
    used = {place(i, j) for i in range(ROWS) for j in range(COLUMNS)}
    parts = cells(ROWS, COLUMNS, lambda i, j: NOW if i + j == STEP else DONE if i + j < STEP else LATER, place)
    lines = {number // LINE for number in now}
    for number in range(size):
        line, at = divmod(number, LINE)
        fill = NOW if number in now else "#fbe3d0" if line in lines else LATER if number in used else "#ddd"
        parts.append(rectangle(4 + line % 6 * 52 + at * 12, 96 + line // 6 * 16, 12, 12, fill))
    below = 96 + 16 * (1 + (size - 1) // LINE // 6)
    parts += [text(158, 24, "orange: the cells of a step,"), text(158, 40, "a work-item each"),
              text(158, 62, "number: where it lies"), text(4, below + 12, f"memory: {words.format(len(lines))}")]
    return svg(330, below + 20, parts)


def layout_rows():
    return layout(lambda i, j: i * COLUMNS + j, "a step touches {} lines, and needs them again")


def layout_columns():
    return layout(lambda i, j: j * ROWS + i, "a step touches {} lines, soon used up")


def layout_diagonals():
    return layout(lambda i, j: (i + j) * ROWS + i, "a step touches {} line; grey: corners")
