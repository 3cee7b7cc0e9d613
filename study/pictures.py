"""The pictures of the page, as SVG: what a step adds, by tiles, anti-diagonals and registers."""

CELL = 18
DONE, NOW, LATER, KEPT, LINE = "#c9d8e8", "#e8894a", "#f6f6f4", "#3b6ea5", "#888"
THREADS = ["#e8894a", "#3b6ea5", "#5aa469", "#b35f9f"]


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="sans-serif" font-size="11">{"".join(parts)}</svg>')


def rectangle(x, y, width, height, fill, stroke=LINE, line=0.6):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{stroke}" stroke-width="{line}"/>'


def text(x, y, words, anchor="start", fill="#222"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}">{words}</text>'


def arrow(x1, y1, x2, y2):
    """A line with a dot at its end, which needs no marker with an id."""
    return (f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#222" stroke-width="1.2"/>'
            f'<circle cx="{x2}" cy="{y2}" r="2.5" fill="#222"/>')


def cells(rows, columns, colour, number=None, x=4, y=4, size=CELL):
    parts = []
    for i in range(rows):
        for j in range(columns):
            parts.append(rectangle(x + j * size, y + i * size, size, size, colour(i, j)))
            if number:
                parts.append(text(x + (j + 0.5) * size, y + (i + 0.7) * size, number(i, j), "middle"))
    return parts


def frames(down, across, height, width, x=4, y=4, size=CELL, line=2):
    return [rectangle(x + c * width * size, y + r * height * size, width * size, height * size, "none", "#222", line)
            for r in range(down) for c in range(across)]


def state(place, now):
    return DONE if place < now else NOW if place == now else LATER


def by_rows():
    order = lambda i, j: i * 8 + j
    parts = cells(6, 8, lambda i, j: state(order(i, j), 20), lambda i, j: order(i, j) + 1)
    return svg(310, 116, parts + [text(160, 30, "blue: done"), text(160, 48, "orange: now, one cell"),
                                  text(160, 66, "numbers: the order")])


def by_diagonals():
    parts = cells(6, 8, lambda i, j: state(i + j, 5), lambda i, j: i + j + 1)
    return svg(310, 116, parts + [text(160, 30, "same number: no cell"), text(160, 45, "needs another of them"),
                                  text(160, 70, "in memory they lie"), text(160, 85, "a row apart")])


def tiles(colour):
    return cells(9, 12, colour, size=12) + frames(3, 3, 3, 4, size=12)


def by_tiles():
    place = lambda i, j: i // 3 + j // 4
    numbers = [text(4 + (c * 4 + 2) * 12, 4 + (r * 3 + 1.9) * 12, r + c + 1, "middle") for r in range(3) for c in range(3)]
    return svg(310, 116, tiles(lambda i, j: state(place(i, j), 2)) + numbers +
               [text(160, 30, "numbers: diagonals of tiles"), text(160, 48, "within a tile: by rows")])


def by_threads():
    place = lambda i, j: i // 3 + j // 4
    colour = lambda i, j: THREADS[i // 3] if place(i, j) == 2 else state(place(i, j), 2)
    return svg(310, 116, tiles(colour) + [text(160, 30, "three threads, a tile each;"), text(160, 48, "then all wait")])


def launch_a_diagonal():
    parts = cells(6, 8, lambda i, j: state(i + j, 5), lambda i, j: f"{i}" if i + j == 5 else "")
    return svg(330, 116, parts + [text(160, 20, "one launch: work-items 0 to 5"), text(160, 48, "launch 0, launch 1, launch 2 ..."),
                                  text(160, 66, "n + m of them,"), text(160, 81, "each waits for the one before")])


def tile_a_work_item():
    place = lambda i, j: i // 2 + j // 4
    colour = lambda i, j: THREADS[i // 2 % 4] if place(i, j) == 2 else state(place(i, j), 2)
    parts = cells(8, 12, colour, size=12) + frames(4, 3, 2, 4, size=12)
    return svg(330, 116, parts + [text(160, 20, "a colour: a work-item"), text(160, 44, "local memory:"),
                                  rectangle(160, 50, 60, 40, NOW), text(190, 74, "scores", "middle")])


def tile_in_local_memory():
    place = lambda i, j: i // 3 + j // 4
    border = lambda i, j: KEPT if i == 0 or j == 0 else state(i + j, 6)
    number = lambda i, j: "" if i == 0 or j == 0 else i + j - 1
    zoomed = cells(5, 8, border, number, x=190, y=12, size=17)
    words = [text(4, 130, "global memory: matrix"), text(190, 112, "local memory: one tile"),
             text(332, 45, "item 0"), text(332, 62, "item 1"), text(332, 79, "item 2"), text(332, 96, "item 3")]
    return svg(372, 138, tiles(lambda i, j: state(place(i, j), 2)) + zoomed + words + [arrow(140, 20, 186, 40), arrow(186, 60, 140, 40)])


def two_passes():
    place = lambda i, j: i // 3 + j // 4
    scored = cells(9, 12, lambda i, j: NOW, size=9) + [text(4, 102, "first: a score in each cell,"), text(4, 116, "all at once")]
    second = cells(9, 12, lambda i, j: state(place(i, j), 2), x=180, size=9) + frames(3, 3, 3, 4, x=180, size=9)
    return svg(330, 122, scored + second + [arrow(118, 44, 174, 44), text(180, 102, "second: tiles by diagonals")])


def one_launch():
    parts = [text(4, 16, "a launch a diagonal"), text(4, 76, "one launch, groups take tiles")]
    for k in range(6):
        parts += [rectangle(4 + k * 52, 22, 14, 26, "#ddd"), rectangle(18 + k * 52, 22, 30, 12, DONE), rectangle(18 + k * 52, 35, 22, 12, NOW)]
    for k in range(7):
        parts += [rectangle(18 + k * 34, 82, 32, 12, DONE), rectangle(18 + k * 34, 95, 26, 12, NOW)]
    parts += [rectangle(4, 82, 14, 26, "#ddd"), text(4, 124, "grey: what a launch costs; blue, orange: two work-groups")]
    return svg(330, 130, parts)


def path_tile(r, c):
    return (r, c) in {(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)}


def borders_only():
    colour = lambda i, j: KEPT if i % 4 == 0 or j % 5 == 0 else "#fbe3d0" if path_tile(i // 4, j // 5) else "#fff"
    parts = cells(13, 16, colour, size=9)
    line = '<polyline points="8,8 26,50 60,58 76,96 96,100 146,120" fill="none" stroke="#c0392b" stroke-width="2"/>'
    return svg(330, 126, parts + [line, text(160, 20, "blue: kept and sent"), text(160, 44, "red: the path"),
                                  text(160, 62, "light: tiles that are computed"), text(160, 77, "again to find it")])


def registers():
    colour = lambda i, j: NOW if i + j == 5 else DONE if i + j in (3, 4) else LATER
    parts = cells(4, 8, colour, y=22) + [text(4, 16, "row above: local memory")]
    parts += [text(152, 36 + 18 * i, f"item {i}") for i in range(4)]
    parts += [text(4, 112, "orange: computed now; blue: still needed, in registers;"), text(4, 126, "white: forgotten, or not yet there")]
    x, y = 216, 26
    for dx, dy, words, fill in ((0, 0, "up_left", DONE), (60, 0, "up", DONE), (0, 34, "left", DONE), (60, 34, "value", NOW)):
        parts += [rectangle(x + dx, y + dy, 54, 26, fill), text(x + dx + 27, y + dy + 17, words, "middle")]
    parts += [arrow(x + 87, y + 60, x + 87, y + 70), text(x + 78, y + 73, "to item + 1", "end")]
    return svg(345, 134, parts)


def parallelograms():
    parts, height, width = [], 22, 44
    for warp in range(4):
        for block in range(5):
            step, y = warp + block, 6 + warp * height
            x = 100 + block * width - (warp) * 0 - warp * height
            points = f"{x},{y} {x + width},{y} {x + width - height},{y + height} {x - height},{y + height}"
            parts.append(f'<polygon points="{points}" fill="{state(step, 3)}" stroke="{LINE}"/>')
            parts.append(text(x + width / 2 - height / 2, y + 15, step, "middle"))
        parts.append(text(324, 6 + warp * height + 15, f"warp {warp}"))
    parts += [rectangle(78, 6, 150, 4 * height, "none", "#222", 2), text(4, 112, "numbers: between which barriers; frame: the tile;"),
              text(4, 126, "what is outside of it is passed over")]
    return svg(372, 132, parts)


def super_tiles():
    colour = lambda i, j: KEPT if i % 8 == 0 or j % 8 == 0 else "#9db9d6" if (i % 4 == 0 or j % 4 == 0) and 2 <= i // 4 + j // 4 <= 4 else "#fff"
    return svg(330, 126, cells(17, 17, colour, size=7) + [text(140, 20, "dark: kept and sent,"), text(140, 35, "borders of super-tiles"),
                                                          text(140, 62, "light: tiles' borders,"), text(140, 77, "for three diagonals only")])
