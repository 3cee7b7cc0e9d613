"""OpenCL devices."""

from __future__ import annotations

import dataclasses
import os
import threading
import warnings
from typing import Any

from ._library import bytes_of, ffi, lib, shipped_tuning, text_of
from .errors import call

_KINDS = {lib.CLA_DEVICE_CPU: "CPU", lib.CLA_DEVICE_GPU: "GPU", lib.CLA_DEVICE_OTHER: "other"}


@dataclasses.dataclass(frozen=True)
class DeviceInfo:
    """What is known of a device."""

    index: int
    kind: str  # "CPU", "GPU" or "other"
    name: str
    platform: str
    vendor: str
    version: str
    driver: str
    compute_units: int
    memory_bytes: int


def _info(info: Any) -> DeviceInfo:
    return DeviceInfo(
        int(info.index),
        _KINDS[info.kind],
        text_of(info.name),
        text_of(info.platform),
        text_of(info.vendor),
        text_of(info.version),
        text_of(info.driver),
        int(info.compute_units),
        int(info.memory_bytes),
    )


def devices() -> list[DeviceInfo]:
    """The OpenCL devices, in the order of their indices."""
    found, count = ffi.new("cla_device_info **"), ffi.new("size_t *")
    call(lib.cla_devices_list, found, count)
    try:
        return [_info(found[0][i]) for i in range(count[0])]
    finally:
        lib.cla_devices_free(found[0])


def _folder(variable: str, below_home: str) -> str | None:
    """The program's folder of that kind, which is this package's, too."""
    base = os.environ.get(variable, "")
    home = os.environ.get("HOME", "")
    if base.startswith("/"):
        return f"{base}/clalign"
    return f"{home}/{below_home}/clalign" if home.startswith("/") else None


class Device:
    """An opened device.

    `select` is an index, `"cpu"`, `"gpu"` or a part of a name, None the first GPU, else the first device; `threads` restricts a CPU.
    Kernels that were compiled are kept in `cache`: the program's folder, another one, or none with False. The tuning
    records of the device, the user's own and those that came with the library, are used unless `tuning` is False.

    Threads may share a device, whose computations then take turns; several Devices compute at the same time. A process
    that forks opens its devices after that.
    """

    def __init__(
        self,
        select: int | str | None = None,
        *,
        threads: int | None = None,
        cache: bool | str | os.PathLike[str] = True,
        tuning: bool = True,
    ) -> None:
        options = ffi.new("cla_device_options *")
        folder = _folder("XDG_CACHE_HOME", ".cache") if cache is True else cache or None
        # What the options point to lives until the call returns.
        texts = {
            "select": None if select is None else str(select),
            "cache_path": folder,
            "kernel_path": os.environ.get("CLALIGN_CL_PATH") or None,
        }
        kept = {name: ffi.new("char[]", bytes_of(text)) for name, text in texts.items() if text is not None}
        for name, text in kept.items():
            setattr(options, name, text)
        options.threads = threads or 0
        opened = ffi.new("cla_device **")
        call(lib.cla_device_open, opened, options)
        self._pointer = ffi.gc(opened[0], lib.cla_device_close)
        self._tuning = self._load_tuning() if tuning else ffi.NULL

    def _load_tuning(self) -> Any:
        folders = ffi.new("cla_tuning_folders *")
        config = _folder("XDG_CONFIG_HOME", ".config")
        user = ffi.new("char[]", bytes_of(f"{config}/tuning")) if config else ffi.NULL
        shipped = ffi.new("char[]", bytes_of(shipped_tuning)) if shipped_tuning else ffi.NULL
        folders.user, folders.shipped = user, shipped
        loaded, count = ffi.new("cla_tuning **"), ffi.new("size_t *")
        call(lib.cla_tuning_load, loaded, self._pointer, folders)
        found = lib.cla_tuning_warnings(loaded[0], count)
        for i in range(count[0]):
            if found[i].malformed:
                warnings.warn(text_of(found[i].text), RuntimeWarning, stacklevel=3)
        return ffi.gc(loaded[0], lib.cla_tuning_free)

    @property
    def info(self) -> DeviceInfo:
        """What the device is, as it was opened."""
        return _info(lib.cla_device_describe(self._pointer)[0])

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Device is of the process that opened it; open one in the other process: clalign.Device(...)")

    def __repr__(self) -> str:
        return f"<clalign.Device {self.info.index}: {self.info.name}>"


_default: Device | None = None
_default_lock = threading.Lock()


def default_device() -> Device:
    """The device that is used where none is given: opened when it is first needed, and kept."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Device()
        return _default
