#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Random HDF5 and NetCDF files, of every element type and every way of storing them, as h5py and
netCDF4 write them: what `reap describe` prints of each data set against NumPy's figures. Then
files that are cut off or have wrong bytes: one line each, status 1 or 0, and no crash of the tool.

Usage: hdf5.py REAP FOLDER READERS, of hdf5,netcdf those that are built; status 77: h5py or NumPy is
not here. SEED=... of the environment repeats a run; LIMIT is how many seconds a run of the tool may
take, 60 if it is not set; with FEW_TESTS only random files and damaged ones are read.
"""
import csv
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"left out: {error}")
    sys.exit(77)
try:
    import netCDF4
except ImportError as error:
    print(f"NetCDF is left out: {error}")
    netCDF4 = None

reap, folder = sys.argv[1], sys.argv[2]
readers = sys.argv[3].split(",")
seed = int(os.environ.get("SEED") or random.randrange(1 << 31))
print(f"SEED={seed}")
limit = float(os.environ.get("LIMIT", 60))
is_sample = "SHARE" in os.environ  # `make check`
has_few_tests = "FEW_TESTS" in os.environ  # what readers do with right and with damaged files
choice = random.Random(seed)
numbers = np.random.default_rng(seed)
TYPES = ["?"] + [order + kind for order in "<>" for kind in (
    "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")]


def fail(what):
    sys.exit(f"SEED={seed}: {what}")


def path_of(name):
    return os.path.join(folder, name)


def describe(*files):
    run = subprocess.run([reap, "describe", *files], capture_output=True, text=True,
                         errors="replace", timeout=limit)
    # Where a library asks for more memory than there is, a sanitizer says so, too.
    run.stderr = re.sub(r"==\d+==WARNING: AddressSanitizer failed to allocate.*\n", "", run.stderr)
    return run


def random_array(kind, shape):
    kind = np.dtype(kind)
    if kind.kind == "b":
        return numbers.integers(0, 2, shape).astype(kind)
    if kind.kind in "iu":
        about = np.iinfo(kind)
        return numbers.integers(about.min, about.max, shape, dtype=kind.newbyteorder("="),
                                endpoint=True).astype(kind)
    values = numbers.normal(100, 10, shape)
    if kind.kind == "c":
        values = values + 1j * numbers.normal(100, 10, shape)
    return np.asarray(values).astype(kind)


# ---- What is expected -----------------------------------------------------------------------------


def type_name(kind):
    return "bool" if kind.kind == "b" else f"{kind.kind}{8 * kind.itemsize}"


def require_near(called, line, got, expected, tolerance):
    if not abs(float(got) - float(expected)) <= tolerance:
        fail(f"{called}: {line} is {got}, NumPy has {expected}")


def check_figures(called, got, array):
    """A block of real numbers: `got` has what follows each label."""
    flat = array.reshape(-1)
    if int(got["count"]) != flat.size:
        fail(f"{called}: count is {got['count']}, not {flat.size}")
    if flat.size == 0:
        return
    for label, find in (("minimum", np.argmin), ("maximum", np.argmax)):
        value, place = got[label].split(" at ")
        at = tuple(int(i) for i in re.findall(r"\d+", place))
        if array.shape and at != tuple(int(i) for i in np.unravel_index(find(flat), array.shape)):
            fail(f"{called}: {label} is at {place}")
        read = int if flat.dtype.kind in "biu" else flat.dtype.type
        if read(value) != flat[find(flat)]:
            fail(f"{called}: {label} is {value}, not {flat[find(flat)]}")
    if flat.dtype.kind in "biu":
        if int(got["sum"]) != sum(int(x) for x in flat):
            fail(f"{called}: sum is {got['sum']}")
    else:
        wide = flat.astype("f8")
        require_near(called, "sum", got["sum"], wide.sum(), 1e-12 * np.abs(wide).sum())
    wide = flat.astype("f8")
    digits = np.finfo(flat.dtype).eps if flat.dtype.kind == "f" else 1e-15
    require_near(called, "quantile 0.3", got["quantile 0.3"].split(" (")[0],
                 np.quantile(wide, 0.3), 4 * digits * np.abs(wide).max())
    if "within" in got["quantile 0.3"]:
        fail(f"{called}: a quantile is estimated: {got['quantile 0.3']}")


def read_blocks(text):
    """The printed blocks by their names: the heading, and each label's figures."""
    blocks = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        name, heading = lines[0].split(": ", 1)
        labels = {}
        for line in lines[1:]:
            found = re.match(r"\s+(\S.*?)(?:  +(\S.*))?$", line)
            labels.setdefault(found[1], found[2])
        blocks[name] = heading, labels
    return blocks


def check_file(file, arrays):
    """With a quantile, for which most arrays are read once more."""
    run = describe("--quantiles", "0.3", file)
    if run.returncode != 0 or run.stderr:
        fail(f"{file}: status {run.returncode}: {run.stderr}")
    blocks = read_blocks(run.stdout)
    if set(blocks) != {f"{file}:{name}" for name in arrays}:
        fail(f"{file}: data sets are {sorted(blocks)}, not {sorted(arrays)}")
    for name, array in arrays.items():
        called = f"{file}:{name}"
        heading, got = blocks[called]
        shape = " x ".join(map(str, array.shape)) or "no dimensions"
        if not heading.startswith(f"{type_name(array.dtype)}, {shape}, "):
            fail(f"{called}: {heading}: not {array.dtype} of {array.shape}")
        if array.dtype.kind != "c":
            check_figures(called, got, array)
    name = choice.choice(sorted(arrays))
    alone = describe("--quantiles", "0.3", f"{file}:{name}")
    if alone.returncode != 0 or blocks[f"{file}:{name}"] != \
            next(iter(read_blocks(alone.stdout).values())):
        fail(f"{file}:{name} alone differs: {alone.stdout}{alone.stderr}")


# ---- HDF5 -----------------------------------------------------------------------------------------


def random_shape(dimensions, empty):
    most = {0: 1, 1: 3000, 2: 60, 3: 14, 4: 7}[dimensions]
    return tuple(choice.randrange(0 if empty else 1, most) for _ in range(dimensions))


def storage(layout, array, number):
    """The options with which h5py stores an array in this way."""
    if layout == "contiguous" or array.size == 0 or array.ndim == 0:
        return {}
    chunks = tuple(choice.randrange(1, size + 1) for size in array.shape)
    if layout == "external":
        external = path_of(f"external{number}")
        with open(external, "wb") as stream:
            stream.write(bytes(array.nbytes))
        return {"external": [(external, 0, array.nbytes)]}
    return {"chunked": {"chunks": chunks},
            "gzip": {"chunks": chunks, "compression": "gzip", "shuffle": True},
            "growing": {"chunks": chunks, "maxshape": (None,) * array.ndim},
            "checked": {"chunks": chunks, "fletcher32": True}}[layout]


def write_compact(group, name, array):
    space = h5py.h5s.create(h5py.h5s.SCALAR) if array.ndim == 0 else \
        h5py.h5s.create_simple(array.shape)
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plan.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(group.id, name.encode(), h5py.h5t.py_create(array.dtype, logical=True), space,
                    plan)
    group[name][...] = array


def find_newest():
    """The newest form of files, of every type and way of storing them, that both libraries know:
    h5py's may be newer than the tool's."""
    file = path_of("newest.h5")
    for newest in ("latest", "v114", "v112", "v110"):
        try:
            with h5py.File(file, "w", libver=newest) as top:
                for layout in ("contiguous", "chunked", "gzip", "growing", "checked"):
                    for number, kind in enumerate(TYPES):
                        array = random_array(kind, (4, 6))
                        top.create_dataset(f"{layout}{number}", data=array,
                                           **storage(layout, array, number))
        except ValueError as error:
            print(f"libver {newest} is left out: h5py: {error}")
            continue
        run = describe(file)
        if run.returncode == 0:
            return newest
        reason = run.stderr.splitlines()[0]
        print(f"libver {newest} of HDF5 {h5py.version.hdf5_version} is left out: {reason}")
    fail("no file of HDF5 1.10 can be read")


def write_hdf5(file, newest):
    """Arrays by their paths: of every type in some layout, and what has no numbers besides."""
    arrays = {}
    layouts = ["contiguous", "chunked", "gzip", "growing", "checked", "external", "compact"]
    with h5py.File(file, "w", libver=choice.choice(["earliest", newest]),
                   userblock_size=choice.choice([0, 512, 4096])) as top:
        for number, kind in enumerate(TYPES):
            array = np.asarray(random_array(kind, random_shape(choice.randrange(5),
                                                               choice.random() < 0.1)))
            layout = choice.choice(layouts)
            group = top.require_group(choice.choice(["/", "a", "b/c"]))
            if layout == "compact" and 0 < array.nbytes < 60000:
                write_compact(group, f"x{number}", array)
            else:
                layout = "contiguous" if layout == "compact" else layout
                group.create_dataset(f"x{number}", data=array, **storage(layout, array, number))
            arrays[group[f"x{number}"].name] = array
        top["null"] = h5py.Empty("f4")
        arrays["/null"] = np.zeros(0, "f4")
        top.create_dataset("unwritten", shape=(30, 7), dtype="f4", fillvalue=3.5)
        arrays["/unwritten"] = np.full((30, 7), 3.5, "f4")
        sparse = top.create_dataset("sparse", shape=(90, 70), dtype="i4", chunks=(16, 16),
                                    fillvalue=-3)
        sparse[20:40, 3:5] = 7
        arrays["/sparse"] = sparse[()]
        top["text"] = "hello"
        top["compound"] = np.zeros(3, [("x", "f8"), ("y", "i4")])
        top["reference"] = top.ref
        top["type"] = np.dtype("f8")
        top["zz_hard"] = sparse  # a second name
        top["soft"] = h5py.SoftLink("/sparse")
        top["broken"] = h5py.SoftLink("/nowhere")
        top["outside"] = h5py.ExternalLink("other.h5", "/x")
    return arrays


def check_conventions(file):
    with h5py.File(file, "w") as top:
        top["filled"] = np.array([5, -1, 7], ">i2")
        top["filled"].attrs["_FillValue"] = np.int16(-1)
        top["packed"] = np.array([[1, -9], [3, 4]], "i2")
        top["packed"].attrs.update({"scale_factor": 0.5, "add_offset": 10.0,
                                    "missing_value": np.int16(-9)})
        top["strange"] = np.array([1, 2], "i2")
        top["strange"].attrs.update({"scale_factor": "two", "_FillValue": np.array([1, 2], "i2")})
    blocks = read_blocks(describe(file).stdout)
    for name, label, expected in (
            ("filled", "missing", "1"), ("filled", "minimum", "5 at [0]"),
            ("packed", "missing", "1"), ("packed", "minimum", "10.5 at [0, 0]"),
            ("packed", "sum", "34"), ("strange", "sum", "3")):
        if blocks[f"{file}:/{name}"][1].get(label) != expected:
            fail(f"{name}: {label} is not {expected}: {blocks[f'{file}:/{name}']}")
    if "unpacked from i16 * 0.5 + 10" not in blocks[f"{file}:/packed"][0]:
        fail(f"packed: {blocks[f'{file}:/packed'][0]}")


def check_message(file, words):
    run = describe(file)
    lines = run.stderr.splitlines()
    if run.returncode != 1 or run.stdout or len(lines) != 1 or words not in lines[0]:
        fail(f"{file}: no line with '{words}': {run.stdout}{run.stderr}")


def check_messages():
    file = path_of("messages.h5")
    with h5py.File(file, "w") as top:
        top["text"] = "hello"
        top["wide"] = np.zeros(3, np.longdouble)
        top["x"] = np.arange(3)
        top.create_dataset("lzf", data=np.arange(100), chunks=(50,), compression="lzf")
        top.create_dataset("large", shape=(1 << 15, 1 << 15), dtype="f8",
                           chunks=(1 << 14, (1 << 14) - 1))
    check_message(file + ":/nowhere", "nowhere")
    check_message(file + ":text", "text")
    check_message(file + ":/wide", "floating-point numbers of 16 bytes")
    check_message(file + ":/lzf", "lzf")
    check_message(file + ":/large", "1 GiB")
    check_message(file + ":/", "is a group")
    with open(file, "rb") as stream:
        piped = subprocess.run([reap, "describe", "-"], stdin=stream, capture_output=True,
                               text=True)
    if piped.returncode != 1 or "not a pipe" not in piped.stderr:
        fail(f"from a pipe: {piped.stderr}")


# ---- Other files ----------------------------------------------------------------------------------


def write_source(file):
    with h5py.File(file, "w") as top:
        top["x"] = np.arange(10.0)
        top["t"] = np.array([b"text"] * 10)


def add_virtual(top, name, sources, dtype="f8", source_name="x"):
    """A data set of as many rows as there are files."""
    layout = h5py.VirtualLayout(shape=(len(sources), 10), dtype=dtype)
    for row, source in enumerate(sources):
        layout[row] = h5py.VirtualSource(source, source_name, shape=(10,))
    top.create_virtual_dataset(name, layout, fillvalue=np.zeros((), dtype)[()])


def add_numbered(top, name, pattern):
    """One whose source files have numbers; how many there are decides about its size."""
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    space = h5py.h5s.create_simple((10,), (h5py.h5s.UNLIMITED,))
    space.select_hyperslab((0,), (h5py.h5s.UNLIMITED,), (10,), (10,))
    plan.set_virtual(space, pattern.encode(), b"x", h5py.h5s.create_simple((10,)))
    space.select_all()
    h5py.h5d.create(top.id, name.encode(), h5py.h5t.NATIVE_DOUBLE, space, plan)


def write_others():
    """A file in the folder `own`, data sets of which lie in files of this folder and of another,
    by their names: the name of that file, or None. Then those in files that are none."""
    own, elsewhere = path_of("own"), path_of("elsewhere")
    shutil.rmtree(own, ignore_errors=True)
    shutil.rmtree(elsewhere, ignore_errors=True)
    os.makedirs(own + "/below")
    os.makedirs(elsewhere)
    for file in ("own/a.h5", "own/below/b.h5", "own/n0.h5", "own/n1.h5", "own/m0.h5",
                 "elsewhere/c.h5"):
        write_source(path_of(file))
    os.symlink("../elsewhere/c.h5", own + "/link.h5")
    os.symlink("../elsewhere/c.h5", own + "/m1.h5")
    os.symlink("../elsewhere", own + "/folder")
    os.mkfifo(own + "/pipe")
    for name in ("own/raw", "elsewhere/raw"):
        np.arange(10.0).tofile(path_of(name))
    outside = os.path.abspath(elsewhere) + "/c.h5"
    with h5py.File(own + "/middle.h5", "w") as top:
        add_virtual(top, "x", ["../elsewhere/c.h5"])
    expected = {}
    with h5py.File(own + "/main.h5", "w") as top:
        def add(name, told, *sources):
            add_virtual(top, name, sources)
            expected["/" + name] = told

        add("near", None, "a.h5", "below/b.h5", "./below/../a.h5", os.path.abspath(own) + "/a.h5")
        add("same", None, ".")
        add("nested", None, "near.h5")
        add("relative", "../elsewhere/c.h5", "a.h5", "../elsewhere/c.h5")
        add("absolute", outside, outside)
        add("linked", "link.h5", "link.h5")
        add("by_folder", "folder/c.h5", "folder/c.h5")
        add("by_parent", "below/../../elsewhere/c.h5", "below/../../elsewhere/c.h5")
        add("by_middle", "../elsewhere/c.h5", "middle.h5")
        add_numbered(top, "numbered", "n%b.h5")
        add_numbered(top, "numbered_outside", "m%b.h5")
        expected.update({"/numbered": None, "/numbered_outside": "m1.h5"})
        top["x"] = np.arange(10.0)
        expected["/x"] = None
        for name, told, file in (("raw", None, os.path.abspath(own) + "/raw"),
                                 ("raw_outside", "raw", os.path.abspath(elsewhere) + "/raw"),
                                 ("raw_link", "folder/raw", os.path.abspath(own) + "/folder/raw")):
            top.create_dataset(name, shape=(10,), dtype="f8", external=[(file, 0, 80)])
            expected["/" + name] = told
        add_virtual(top, "text", ["../elsewhere/c.h5"], "S4", "t")
        top["link"] = h5py.ExternalLink("a.h5", "/x")
        top["link_outside"] = h5py.ExternalLink("../elsewhere/c.h5", "/x")
    with h5py.File(own + "/near.h5", "w") as top:
        add_virtual(top, "x", ["a.h5"])
    with h5py.File(own + "/pipes.h5", "w") as top:
        add_virtual(top, "virtual", ["pipe"])
        top.create_dataset("external", shape=(10,), dtype="f8",
                           external=[(os.path.abspath(own) + "/pipe", 0, 80)])
        top["link"] = h5py.ExternalLink("pipe", "/x")
    return expected


def check_others():
    expected, file = write_others(), path_of("own/main.h5")
    run, allowed = describe(file), describe("--allow-outside", file)
    refused = {name for name, told in expected.items() if told is not None}
    if run.returncode != 1 or set(read_blocks(run.stdout)) != {
            f"{file}:{name}" for name in expected if name not in refused}:
        fail(f"other files: {run.stdout}{run.stderr}")
    said = dict(re.findall(r"^reap: .*?:(/\w+): it needs '(.*)', which is outside the file's folder; "
                           r"--allow-outside reads it$", run.stderr, re.M))
    if set(said) != refused or any(not said[name].endswith(expected[name]) for name in refused) or \
            len(run.stderr.splitlines()) != len(refused):
        fail(f"other files: {run.stderr}")
    blocks = read_blocks(allowed.stdout)
    if allowed.returncode != 0 or allowed.stderr or len(blocks) != len(expected):
        fail(f"other files, allowed: {allowed.stderr}")
    for called, (heading, got) in blocks.items():
        count = int(got["count"])
        if count % 10 != 0 or float(got["sum"]) != 4.5 * count or got["maximum"][:2] != "9 ":
            fail(f"{called}: {heading}: {got}")
    if int(blocks[f"{file}:/numbered_outside"][1]["count"]) != 20:
        fail(f"numbered sources: {blocks[f'{file}:/numbered_outside']}")
    other = path_of("elsewhere/main.h5")
    os.symlink("../own/main.h5", other)
    check_link(f"{file}:/link", None)
    check_link(f"{file}:/link_outside", "../elsewhere/c.h5")
    for name in ("virtual", "external", "link"):
        run = describe("--allow-outside", f"{path_of('own/pipes.h5')}:/{name}")
        if run.returncode != 1 or "pipe', which is not a regular file" not in run.stderr:
            fail(f"a pipe, {name}: {run.stderr}")
    # Through a link to the file its own folder counts, and that of the link, where it is looked for.
    run = describe(other)
    if "main.h5:/raw:" not in run.stdout or "main.h5:/near:" not in run.stdout:
        fail(f"a link to the file: {run.stdout}{run.stderr}")


def check_link(called, told):
    """A data set that a link to another file leads to."""
    allowed, run = describe("--allow-outside", called), describe(called)
    if allowed.returncode != 0 or "  sum                 45\n" not in allowed.stdout:
        fail(f"{called}: {allowed.stderr}")
    if (run.stdout == "" or run.stderr != "") if told is None else \
            (run.stdout != "" or f"{told}', which is outside" not in run.stderr):
        fail(f"{called}: {run.stdout}{run.stderr}")


def check_prefix():
    """The environment decides where the library looks, so also here."""
    file = path_of("own/prefix.h5")
    with h5py.File(file, "w") as top:
        top.create_dataset("raw", shape=(10,), dtype="f8", external=[("raw", 0, 80)])
        add_virtual(top, "virtual", ["c.h5"])
    for name, variable, folder_there, refused in (
            ("raw", "HDF5_EXTFILE_PREFIX", "${ORIGIN}", False),
            ("raw", "HDF5_EXTFILE_PREFIX", "${ORIGIN}/../elsewhere", True),
            ("virtual", "HDF5_VDS_PREFIX", path_of("elsewhere"), True),
            ("virtual", "HDF5_VDS_PREFIX", f"/nowhere:{path_of('elsewhere')}", True),
            ("virtual", "HDF5_VDS_PREFIX", "${ORIGIN}/../elsewhere", True)):
        os.environ[variable] = folder_there
        run, allowed = describe(f"{file}:/{name}"), describe("--allow-outside", f"{file}:/{name}")
        del os.environ[variable]
        if "which is outside the file's folder" in run.stderr if refused is False else \
                "which is outside the file's folder" not in run.stderr:
            fail(f"{variable}={folder_there}: {run.stdout}{run.stderr}")
        if "  sum                 45\n" not in allowed.stdout:
            fail(f"{variable}={folder_there}: {allowed.stdout}{allowed.stderr}")


def stop_reader(tool):
    """Stops the process that the tool starts soon; returns it, unless its time was over first."""
    while tool.poll() is None:
        try:
            with open(f"/proc/{tool.pid}/task/{tool.pid}/children") as stream:
                children = stream.read().split()
            if children and "read-hdf5" in os.readlink(f"/proc/{children[0]}/exe"):
                os.kill(int(children[0]), signal.SIGSTOP)
                return int(children[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
        time.sleep(0.01)
    return None


def check_timeout():
    """A reader that does nothing any more, as where a file system does not answer."""
    file = path_of("endless.h5")
    with h5py.File(file, "w") as top:
        top.create_dataset("x", shape=(1 << 40,), dtype="f8", chunks=(1 << 16,))
    tool = subprocess.Popen([reap, "describe", "--timeout", "1", file], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    reader = stop_reader(tool)
    output, errors = tool.communicate(timeout=limit)
    if tool.returncode != 1 or output or os.path.exists(f"/proc/{reader}") or errors not in (
            f"reap: {file}{name}: libhdf5 has not answered for 1 second; --timeout allows more\n"
            for name in ("", ":/x")):
        fail(f"a reader that stands: {output}{errors}")


# ---- NetCDF ---------------------------------------------------------------------------------------


def write_netcdf(file, form):
    kinds = ["i1", "i2", "i4", "f4", "f8"]
    if form in ("NETCDF3_64BIT_DATA", "NETCDF4"):
        kinds += ["u1", "u2", "u4", "i8", "u8"]
    names = []
    with netCDF4.Dataset(file, "w", format=form) as top:
        top.title = "x" * choice.randrange(9)
        top.createDimension("time", None)
        for d in range(3):
            top.createDimension(f"d{d}", choice.randrange(1, 12))
        records = choice.choice([1, 3, 17])
        for number in range(choice.choice([1, 2, 12])):
            dimensions = tuple(choice.sample(["d0", "d1", "d2"], choice.randrange(4)))
            if choice.random() < 0.6:
                dimensions = ("time",) + dimensions
            names.append(f"v{number}")
            variable = top.createVariable(names[-1], choice.choice(kinds), dimensions,
                                          fill_value=False)
            variable.units = "K" * choice.randrange(1, 6)
            if choice.random() < 0.3:
                variable.numbers = np.arange(choice.randrange(1, 5), dtype="i2")
            shape = tuple(records if name == "time" else len(top.dimensions[name])
                          for name in dimensions)
            variable[...] = random_array(variable.dtype, shape)
        if choice.random() < 0.5:
            top.createVariable("text", "S1", ("d0",))
    with netCDF4.Dataset(file) as top:
        top.set_auto_mask(False)
        return {f"/{name}": np.asarray(top[name][...]) for name in names}


def check_netcdf_conventions(file, form):
    with netCDF4.Dataset(file, "w", format=form) as top:
        top.createDimension("x", 4)
        packed = top.createVariable("packed", "i2", ("x",), fill_value=-1)
        packed.scale_factor, packed.add_offset = 0.5, 10.0
        packed[:] = np.ma.array([10.5, 10, 11, 12], mask=[False, False, True, False])
        plain = top.createVariable("plain", "f4", ("x",), fill_value=-9e9)
        plain[:] = np.ma.array([1.0, 2, 3, 4], mask=[False, False, False, True])
    blocks = read_blocks(describe(file).stdout)
    for name, minimum in (("packed", "10 at [1]"), ("plain", "1 at [0]")):
        got = blocks[f"{file}:/{name}"][1]
        if got.get("missing") != "1" or got["minimum"] != minimum:
            fail(f"{file}: {name}: {got}")


# ---- Damage ---------------------------------------------------------------------------------------


def check_damage(file, count):
    """The tool survives whatever its readers do, says why in a line, and tells the truth of it."""
    with open(file, "rb") as stream:
        right = stream.read()
    whole = describe(file).stdout
    damaged = path_of("damaged" + os.path.splitext(file)[1])
    for _ in range(count):
        bytes_there = bytearray(right)
        is_cut = choice.random() < 0.5
        if is_cut:
            bytes_there = bytes_there[:choice.randrange(len(right))]
        for _ in range(0 if is_cut else choice.choice([1, 2, 10])):
            bytes_there[choice.randrange(len(right))] = choice.randrange(256)
        with open(damaged, "wb") as stream:
            stream.write(bytes_there)
        run = describe(damaged)
        lines = run.stderr.splitlines()
        if run.returncode not in (0, 1) or (run.returncode == 1) != (len(lines) > 0) or \
                any(not line.startswith(f"reap: {damaged}") for line in lines):
            fail(f"{damaged}: status {run.returncode}: {run.stderr}")
        if is_cut and run.returncode == 0 and run.stdout.replace(damaged, file) != whole:
            fail(f"{damaged}: it is cut off at {len(bytes_there)}, which was not reported")


def check_filled_axes(file):
    """Missing elements are counted in the series along an axis that they belong to."""
    array = numbers.integers(-50, 50, (300, 4, 7)).astype("f4")
    array[:, 2, 3] = -7
    array[-1] = -7
    with h5py.File(file, "w") as top:
        for name, options in (("plain", {}), ("chunked", {"chunks": (90, 3, 2)})):
            top.create_dataset(name, data=array, **options).attrs["_FillValue"] = np.float32(-7)
    filled = np.ma.masked_equal(array, -7).astype("f8")
    for name, axis in ((name, axis) for name in ("plain", "chunked") for axis in (0, 1, 2, -1)):
        run = describe("--csv", "--axis", str(axis), f"{file}:{name}")
        along = np.moveaxis(filled, axis, -1).reshape(-1, array.shape[axis])
        records = list(csv.DictReader(run.stdout.splitlines()))
        if run.stderr or len(records) != len(along):
            fail(f"{file}:{name} along axis {axis}: {run.stderr}{len(records)} series")
        for record, row in zip(records, along):
            called = f"{file}:{name} along axis {axis}, {record['name']}"
            there = np.flatnonzero(~np.ma.getmaskarray(row))
            if [int(record[key]) for key in ("count", "missing")] != [row.size, row.size - there.size]:
                fail(f"{called}: {record}")
            if there.size == 0:
                if record["minimum"] or record["minimum_at"] or record["mean"] or record["median"]:
                    fail(f"{called}: {record}")
                continue
            require_near(called, "mean", record["mean"], row.mean(), 1e-12 * 50)
            require_near(called, "median", record["median"], np.ma.median(row), 0)
            require_near(called, "minimum", record["minimum"], row.min(), 0)
            require_near(called, "maximum_at", record["maximum_at"], row.argmax(), 0)


def check_many(file):
    """A further pass over a late data set does not begin at the first one."""
    with h5py.File(file, "w") as top:
        for number in range(2500):
            top.create_dataset(f"x{number:04}", data=[1.0, 9.0, 1e9], chunks=(2,))
    run = describe("--quantiles", "0.5", file)
    if run.stderr or run.stdout.count("quantile 0.5        9\n") != 2500:
        fail(f"{file}: {run.stderr[-500:]}")


def write_small(file):
    with h5py.File(file, "w") as top:
        top["a"] = np.arange(20.0)
        top["a"].attrs["_FillValue"] = 3.0
        top.create_dataset("g/z", data=np.arange(400.0).reshape(20, 20), chunks=(7, 6),
                           compression="gzip", shuffle=True)
        top["g/c"] = np.zeros(3, "c8")


def main():
    if "hdf5" in readers:
        arrays = write_hdf5(path_of("random.h5"), find_newest())
        check_file(path_of("random.h5"), arrays)
        if not has_few_tests:
            check_conventions(path_of("conventions.h5"))
            check_filled_axes(path_of("filled.h5"))
            check_messages()
            check_many(path_of("many.h5"))
            check_others()
            check_prefix()
            check_timeout()
        write_small(path_of("small.h5"))
        check_damage(path_of("small.h5"), 4 if is_sample else 8)
    forms = ["NETCDF4"] if "hdf5" in readers else []
    if "netcdf" in readers:
        classic = ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"]
        forms += [choice.choice(classic)] if is_sample else classic
    for form in forms if netCDF4 else []:
        file = path_of(f"{form}.nc")
        check_file(file, write_netcdf(file, form))
        if not has_few_tests:
            check_netcdf_conventions(path_of(f"{form}_conventions.nc"), form)
        if form != "NETCDF4":
            check_damage(file, 2 if is_sample else 4)


main()
