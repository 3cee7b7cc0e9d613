"""The graphs of the study: rows of the CSV to PNG and SVG, with the paper's figures where it has some."""

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "study"  # the same rows give the same file
import matplotlib.pyplot as pyplot  # noqa: E402

PARTS = (("prepare_seconds", "memory and upload", "#b9b9b9"), ("compute_seconds", "cells", "#3b6ea5"),
         ("transfer_seconds", "download", "#e8894a"), ("trace_seconds", "path", "#5aa469"))


def default_rows(rows):
    """The first row of each system and length: that of its default setting."""
    first = {}
    for row in rows:
        first.setdefault((row["system"], int(row["size"])), row)
    return first


def systems_of(rows):
    return list(dict.fromkeys(row["system"] for row in rows))


def largest_size(rows):
    """The largest length that all systems have: some leave out what does not fit."""
    defaults, systems = default_rows(rows), systems_of(rows)
    sizes = {size for _, size in defaults}
    return max((size for size in sizes if all((system, size) in defaults for system in systems)), default=max(sizes))


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / f"{name}.png", dpi=110)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    pyplot.close(figure)


def device_of(rows):
    return next((row["device"] for row in rows if row["device"] != "host"), "host")


def on_host(rows):
    """Systems of the CPU, which are drawn otherwise."""
    return {row["system"] for row in rows if row["device"] == "host"}


def published_points(axes, points, systems, colours):
    """The paper's own times, in the colour of their system."""
    for k, system in enumerate(systems):
        own = [point for point in points if point["system"] == system]
        if own:
            axes.loglog([int(point["letters"]) for point in own], [float(point["seconds"]) for point in own], "x", color=colours(k % 20),
                        label=f"{system}, published, {own[0]['device']}")


def seconds_by_length(rows, points, folder):
    figure, axes = pyplot.subplots(figsize=(8, 5.5))
    defaults, systems = default_rows(rows), systems_of(rows)
    colours = matplotlib.colormaps["tab20"]
    for k, system in enumerate(systems):
        sizes = sorted(size for name, size in defaults if name == system)
        seconds = [float(defaults[system, size]["seconds"]) for size in sizes]
        axes.loglog(sizes, seconds, marker="so^v"[k % 4], ms=4, color=colours(k % 20), label=system,
                    ls="--" if system in on_host(rows) else "-")
    published_points(axes, points, systems, colours)
    axes.set(xlabel="letters of each sequence", ylabel="seconds in all", title=f"Time by length, {device_of(rows)}")
    axes.grid(alpha=0.3)
    axes.legend(ncol=2, fontsize=8)
    save(figure, folder, "seconds")


def mark_published(axes, published, first, there):
    """What the paper says in words: a figure, or that it is above or below one."""
    marks = {"D": "published figure", "^": "published: above", "v": "published: below"}
    for mark, label in marks.items():
        said = {}
        for row in published:
            low, high = row["gain_low"], row["gain_high"]
            kind = "D" if low and high else "^" if low else "v"
            if row["over"] == first and row["system"] in there and row["quantity"].endswith("seconds") and kind == mark:
                said[row["system"]] = (float(low or high) * float(high or low)) ** 0.5
        if said:
            axes.plot(list(said), list(said.values()), mark, color="#c0392b", label=label)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8)


def speedup(rows, published, folder):
    defaults, systems, size = default_rows(rows), systems_of(rows), largest_size(rows)
    there = [system for system in systems if (system, size) in defaults]
    gains = [float(defaults[system, size]["speedup"]) for system in there]
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    axes.bar(there, gains, color=["#b9b9b9" if name in on_host(rows) else "#3b6ea5" for name in there])
    mark_published(axes, published, systems[0], there)
    for name, gain in zip(there, gains):
        axes.annotate(f"{gain:.3g}", (name, gain), ha="center", va="bottom", fontsize=8)
    axes.set(yscale="log", ylabel=f"times as fast as {systems[0]}", title=f"Speed-up, {size} letters, {device_of(rows)}")
    axes.tick_params(axis="x", rotation=45)
    save(figure, folder, "speedup")


def parts_of_time(rows, folder):
    defaults, systems, size = default_rows(rows), systems_of(rows), largest_size(rows)
    there = [system for system in systems if (system, size) in defaults]
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    below = [0.0] * len(there)
    for name, label, colour in PARTS:
        shares = [100 * float(defaults[system, size][name]) / float(defaults[system, size]["seconds"]) for system in there]
        axes.bar(there, shares, bottom=below, color=colour, label=label)
        below = [a + b for a, b in zip(below, shares)]
    axes.set(ylabel="% of the time", title=f"Parts of the time, {size} letters, {device_of(rows)}")
    axes.legend(fontsize=8, loc="lower right")
    axes.tick_params(axis="x", rotation=45)
    save(figure, folder, "parts")


def setting_name(row):
    tile = f"{row['tile_rows']}x{row['tile_columns']}" if row["tile_rows"] != "0" else ""
    return " / ".join(word for word in (tile, row["items"] if row["items"] != "0" else "") if word) or "-"


def several_settings(rows):
    """The rows of each system for the length at which it ran with several tiles or numbers of threads."""
    groups = {}
    for row in rows:
        groups.setdefault((row["system"], row["size"]), []).append(row)
    return [group for group in groups.values() if len(group) > 1]


def settings(rows, folder):
    """A panel a system: what each tile and number of threads took."""
    several = several_settings(rows)
    if not several:
        return
    lines = (len(several) + 3) // 4
    figure, panels = pyplot.subplots(lines, 4, figsize=(12, 2.6 * lines), squeeze=False)
    for panel in panels.flat[len(several):]:
        panel.axis("off")
    for panel, group in zip(panels.flat, several):
        panel.barh([setting_name(row) for row in group], [1000 * float(row["compute_seconds"]) for row in group], color="#3b6ea5")
        panel.set_title(f"{group[0]['system']}, {group[0]['size']} letters", fontsize=9)
        panel.set_xlabel("ms for the cells", fontsize=8)
        panel.tick_params(labelsize=7)
        panel.invert_yaxis()
    save(figure, folder, "settings")


def stages(rows, folder):
    """What each row takes and how many cells it computes, for a paper whose rows are stages of one alignment."""
    defaults, systems, size = default_rows(rows), systems_of(rows), largest_size(rows)
    there = [system for system in systems if (system, size) in defaults]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.5), sharey=True)
    times = [1000 * float(defaults[system, size]["seconds"]) for system in there]
    matrix = float(defaults[there[0], size]["gcups"]) * 1e9 * float(defaults[there[0], size]["seconds"])
    cells = [100 * int(defaults[system, size]["cells"]) / matrix for system in there]
    for axes, values, label in ((left, times, "ms"), (right, cells, "cells, % of the matrix")):
        colours = ["#e8894a" if name.startswith("clalign") else "#b9b9b9" if name in on_host(rows) else "#3b6ea5" for name in there]
        axes.barh(there, values, color=colours)
        for name, value in zip(there, values):
            axes.annotate(f" {value:.0f}" if value >= 1000 else f" {value:.3g}" if value else " none", (value or min(number for number in values if number), name), va="center", fontsize=8)
        axes.set(xscale="log", xlabel=label)
        axes.margins(x=0.2)
    left.invert_yaxis()
    figure.suptitle(f"{size} letters, {device_of(rows)}", fontsize=10)
    save(figure, folder, "stages")


def draw_all(rows, published, points, folder, are_stages):
    if are_stages:
        stages(rows, folder)
    seconds_by_length(rows, points, folder)
    speedup(rows, published, folder)
    parts_of_time(rows, folder)
    settings(rows, folder)
