"""Which library is loaded, and which is not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import clalign
import clalign._library


def imported(library: str) -> str:
    """What importing says with that library."""
    environment = {**os.environ, "CLALIGN_LIBRARY": library}
    done = subprocess.run(
        [sys.executable, "-c", "import clalign"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def test_a_library_that_is_not_there() -> None:
    assert "ImportError" in imported("/nowhere/libclalign.so")
    assert "CLALIGN_LIBRARY" in imported("/nowhere/libclalign.so")


def test_another_library() -> None:
    assert "not clalign's" in imported("libm.so.6")


def test_a_library_of_another_version(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    source, library = tmp_path / "other.c", tmp_path / "libclalign.so"
    source.write_text('const char *cla_version(void) { return "9.9.9"; }\n')
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    message = imported(str(library))
    assert "9.9.9" in message and "ImportError" in message


def test_the_version_is_the_librarys() -> None:
    assert clalign.__version__.count(".") == 2


def installed(folder: Path) -> Path:
    """A copy of the package in a folder of its own, which knows of no build folder."""
    package = folder / "clalign"
    shutil.copytree(Path(clalign.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "library_folder.txt").unlink(missing_ok=True)
    return package


def loaded_from(folder: Path, *, also: dict[str, str] | None = None) -> str:
    """Which library the copy in that folder loads without CLALIGN_LIBRARY; what it says if none."""
    environment = {name: value for name, value in os.environ.items() if name != "CLALIGN_LIBRARY"}
    environment |= {"PYTHONPATH": str(folder), "PKG_CONFIG_PATH": "", **(also or {})}
    program = "from clalign import _library; print(_library._loaded_path())"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, cwd=folder, check=False
    )
    return (done.stdout + done.stderr).splitlines()[-1]


@pytest.mark.parametrize("place", ["beside", "build folder", "source tree", "prefix", "loader", "pkg-config"])
def test_the_library_is_found(tmp_path: Path, place: str) -> None:
    soname = clalign._library.SONAME
    site = tmp_path / ("lib/python3/site-packages" if place == "prefix" else "python/src")
    package = installed(site)
    folders = {"beside": package, "source tree": tmp_path / "build", "prefix": tmp_path / "lib"}
    folder = folders.get(place, tmp_path / "elsewhere")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(clalign._library._loaded_path(), folder / soname)
    also = {}
    if place == "build folder":
        (package / "library_folder.txt").write_text(f"{folder}\n")
    elif place == "source tree":
        (tmp_path / "include" / "clalign").mkdir(parents=True)
    elif place == "loader":
        also["LD_LIBRARY_PATH"] = str(folder)
    elif place == "pkg-config":
        if not shutil.which("pkg-config"):
            pytest.skip("no pkg-config")
        (folder / "clalign.pc").write_text(f"libdir={folder}\nName: clalign\nDescription: -\nVersion: 0\n")
        also["PKG_CONFIG_PATH"] = str(folder)
    assert loaded_from(site, also=also) == str(folder / soname)


def test_what_was_tried_is_named(tmp_path: Path) -> None:
    package = installed(tmp_path)
    (package / "library_folder.txt").write_text("/nowhere/build\n")
    message = loaded_from(tmp_path)
    if "ImportError" not in message:
        pytest.skip(f"this machine has the library: {message}")
    for place in ("CLALIGN_LIBRARY", str(package), "/nowhere/build", "/usr/local/lib", "loader", "pkg-config"):
        assert place in message


def test_a_library_of_other_structs(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    source, library = tmp_path / "other.c", tmp_path / "libclalign.so"
    source.write_text(
        "#include <string.h>\n"
        f'const char *cla_version(void) {{ return "{clalign.__version__}"; }}\n'
        "void cla_align_options_init(void *options) { memset(options, 0, 4500); }\n"
    )
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    assert "from different sources" in imported(str(library))


def test_devices() -> None:
    found = clalign.devices()
    assert found and found[0].index == 0 and found[0].name
    device = clalign.Device(found[0].index, cache=False, tuning=False)
    assert device.info.name == found[0].name
    with pytest.raises(clalign.DeviceError, match="devices") as caught:
        clalign.Device("no such device")
    assert isinstance(caught.value, RuntimeError)
