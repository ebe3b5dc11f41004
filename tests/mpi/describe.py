# SPDX-License-Identifier: Apache-2.0
"""Writes .npz and HDF5 files, for describe.sh, in the current folder."""
import h5py
import numpy as np

random = np.random.default_rng(1)
x = random.normal(size=400000)
x[::1000] = np.nan
x[77777] = -np.inf
np.savez("stored.npz", a=x, b=np.arange(300000), c=np.zeros(0))
np.savez_compressed("deflated.npz", a=np.arange(200000), b=np.ones(3))
with open("stored.npz", "rb") as file:
    damaged = bytearray(file.read())
damaged[1000000] ^= 1
with open("damaged.npz", "wb") as file:
    file.write(damaged)
with h5py.File("file.h5", "w") as file:
    file["plain"] = x
    file["complex"] = x[:200000] + 1j * x[200000:]
    file.create_dataset("chunked", data=x, chunks=(10000,), compression="gzip")
    shorts = random.integers(0, 100, size=(1500, 700)).astype("i2")
    grid = file.create_dataset("grid", data=shorts, chunks=(100, 100), compression="gzip")
    grid.attrs["_FillValue"] = np.int16(5)
    packed = file.create_dataset("packed", data=shorts, chunks=(1, 700))
    packed.attrs["scale_factor"] = 0.1
    missing = file.create_dataset("missing", data=np.where(np.isnan(x), -9, x))
    missing.attrs["_FillValue"] = -9.0
    file.create_dataset("cube", data=random.normal(size=(20, 300, 40)), chunks=(1, 300, 40))
    file["text"] = "abc"
