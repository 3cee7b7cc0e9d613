"""Which library is loaded, and which is not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import clalign


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


def test_devices() -> None:
    found = clalign.devices()
    assert found and found[0].index == 0 and found[0].name
    device = clalign.Device(found[0].index, cache=False, tuning=False)
    assert device.info.name == found[0].name
    with pytest.raises(clalign.DeviceError, match="devices") as caught:
        clalign.Device("no such device")
    assert isinstance(caught.value, RuntimeError)
