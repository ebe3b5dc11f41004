# SPDX-License-Identifier: Apache-2.0
"""What the pictures call the cases, and how many arithmetic operations an element takes.

An operation is an addition, a multiplication or a comparison of the plain loop that says what the
case computes. Cases that are not about arithmetic have none.
"""
from report import unique

# name: (title, operations per element)
CASES = {
    "sum": ("sum", 1),
    "dot": ("dot product", 2),
    "norm": ("norm", 2),
    "minmax": ("minimum, maximum", 2),
    "argmax": ("argmax", 1),
    "moments": ("mean, variance", 3),
    "four": ("sum, max, min, squares", 5),
    "count": ("conditional count", 2),
    "rows": ("rows of a matrix", 1),
    "kmeans": ("k-means step", 64 * 9),
    "struct": ("struct operator", None),
    "histogram": ("histogram", 1),
    "by-key": ("sum by key", 1),
    "tree": ("tree kernel", 1),
    "launch": ("launch to value", None),
    "small": ("small sizes, a loop", None),
    "sum-max": ("sum and maximum", 2),
}


def title(case, variant=""):
    name = CASES.get(case, (case, None))[0]
    return f"{name}: {variant}" if variant else name


def in_order(points):
    """Their pairs of case and variant, in the order of the table above."""
    order = list(CASES)
    pairs = unique((point["case"], point["variant"]) for point in points)
    return sorted(pairs, key=lambda pair: order.index(pair[0]) if pair[0] in CASES else len(order))


def intensity(point):
    """Operations for each byte that is moved, or None."""
    operations = CASES.get(point["case"], ("", None))[1]
    return operations * point["elements"] / point["bytes"] if operations else None
