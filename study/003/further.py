"""The table that paper 003 adds for one pair: its model of the time, equation 4.5, against the threads of Cell."""


def predicted(one, row):
    """From the time of a tile on one thread: tiles / threads, and S steps more at the beginning."""
    threads, tiles = int(row["items"]), (int(row["size"]) / int(row["tile_rows"])) ** 2
    return float(one["compute_seconds"]) / tiles * (tiles / threads + threads - 1)


def errors(rows):
    cell = [row for row in rows if row["system"] == "Cell"]
    ones = {(row["size"], row["tile_rows"]): row for row in cell if row["items"] == "1"}
    for row in cell:
        one = ones.get((row["size"], row["tile_rows"]))
        if one is None or int(row["items"]) < 2:
            continue
        model, measured = predicted(one, row), float(row["compute_seconds"])
        yield (row["size"], row["tile_rows"], row["items"], f"{1000 * model:.3g}", f"{1000 * measured:.3g}", f"{100 * (model / measured - 1):+.0f} %")


def tables(rows):
    return [("The model of the time, equation 4.5",
             "Threads share the tiles; the time of a tile is that of one thread. More threads than cores are no use, which the model does "
             "not know. The thesis' error is 3 % on average, of 1 to 16 cores.",
             ("letters", "tile", "threads", "predicted, ms", "measured, ms", "error"), list(errors(rows)))]
