#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random kernels with barriers, and a serial reference of each.

random_kernels.py SEED COUNT FOLDER writes random.kernels.h and reference.h. A kernel is a tree of
statements, of which each is written twice: in the kernel, and in the reference as a loop over the
work-items of a group around that statement alone, which is right since between two barriers no
work-item reads what another one writes. Loops and branches with barriers are the same for all
work-items of a group.
"""
import random
import sys

ITEM_TYPES = ["uint32_t", "uint64_t", "int32_t", "float", "double", "uint16_t", "uint8_t"]


class Kernel:
    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.lines = []      # of the kernel
        self.reference = []  # of the reference
        self.declared = []   # of the reference: arrays of a group's work-items
        self.number = 0
        self.depth = 1
        self.scopes = [[]]   # variables: (name, kind, type)
        self.budget = rng.randint(10, 40)
        self.loops = 0

    # ---- Names and expressions

    def fresh(self, prefix):
        self.number += 1
        return f"{prefix}{self.number}"

    def variables(self, *kinds):
        found = {}
        for scope in self.scopes:
            for variable in scope:
                found[variable[0]] = variable
        return [v for v in found.values() if v[1] in kinds]

    def uniform(self):
        """An expression of the same value for all work-items of a group."""
        rng = self.rng
        terms = ["(uint32_t)n", "(uint32_t)reap_group_linear_id()", str(rng.randint(0, 99)) + "u"]
        terms += [f"(uint32_t){v[0]}" for v in self.variables("uniform")]
        a, b = rng.choice(terms), rng.choice(terms)
        return rng.choice([a, f"({a} + {b})", f"({a} * 3u + {b})", f"({a} ^ {b})"])

    def condition_for_all(self):
        """The same for all work-items; maybe in a way that only the items' values tell."""
        rng = self.rng
        test = f"({self.uniform()} % {rng.randint(2, 4)}u) {rng.choice(['!=', '==', '<'])} 1u"
        flags = self.variables("flag")
        if flags and rng.random() < 0.5:
            return f"(({rng.choice(flags)[0]} >> {rng.randint(0, 7)}) & 1u) != 0"
        return test

    def term(self):
        rng = self.rng
        kinds = self.variables("item", "uniform", "id", "constant", "struct", "array", "pointer")
        choice = rng.random()
        if choice < 0.15 or not kinds:
            return rng.choice([f"{rng.randint(0, 1000)}u", "x[g]", "(uint32_t)l", "(uint32_t)n"])
        name, kind, type_ = rng.choice(kinds)
        if kind == "struct":
            return f"{name}.{rng.choice(['a', 'b[1]', 'b[0]'])}"
        if kind == "array":
            return f"{name}[{rng.choice(['0', '1', '2', '(l + n) % 3'])}]"
        if kind == "pointer":
            return f"*{name}"
        if type_ in ("float", "double"):
            return f"(uint32_t)({name} * 4)"
        return f"(uint32_t){name}"

    def value(self):
        rng = self.rng
        a, b = self.term(), self.term()
        return rng.choice([
            f"({a} + {b})", f"({a} * {rng.randint(3, 99)}u + {b})", f"({a} ^ ({b} >> 3))",
            f"(({a} & 15u) > 7u ? {a} : {b})", f"({a} - {b})", f"mix({a}, {b})"])

    def value_of(self, type_):
        if type_ in ("float", "double"):
            return f"({type_})({self.value()} & 4095u) * {self.rng.choice(['0.5f', '0.25f', '1.0f'])}"
        return f"({type_}){self.value()}"

    # ---- Writing

    def kernel(self, text):
        self.lines.append("    " * self.depth + text)

    def refer(self, text):
        self.reference.append("    " * self.depth + text)

    def as_items(self, text):
        """The statement with each work-item's variables as elements of arrays."""
        import re
        names = {v[0]: v[1] for v in self.variables("item", "id", "constant", "struct", "array",
                                                     "pointer", "flag")}
        def replace(match):
            word = match.group(0)
            return f"{word}_s[l]" if word in names else word
        text = re.sub(r"(?<![.\w])[a-z]+\d+\b", replace, text)
        return text.replace("reap_group_linear_id()", "group")

    def statement(self, text):
        """One of all work-items, without a barrier."""
        self.kernel(text)
        self.refer("for (size_t l = 0; l < size; l++) { const size_t g = ids[l]; (void)g; "
                   + self.as_items(text) + " }")

    def declare(self, kind, type_, suffix=""):
        name = self.fresh({"item": "v", "struct": "s", "array": "t", "pointer": "p", "id": "i",
                           "constant": "c", "flag": "f"}[kind])
        self.declared.append(f"static {type_} {name}_s[MOST]{suffix};")
        return name

    def add(self, name, kind, type_):
        self.scopes[-1].append((name, kind, type_))

    # ---- Statements

    def declare_item(self):
        type_ = self.rng.choice(ITEM_TYPES)
        value = self.value_of(type_)
        name = self.declare("item", type_)
        self.kernel(f"{type_} {name} = {value};")
        text = self.as_items(value)
        self.refer("for (size_t l = 0; l < size; l++) { const size_t g = ids[l]; (void)g; "
                   f"{name}_s[l] = {text}; }}")
        self.add(name, "item", type_)

    def declare_constant(self):
        """From ids and sizes alone, or from such constants."""
        rng = self.rng
        names = [v[0] for v in self.variables("id")] + ["l", "g", "n", "size"]
        value = f"{rng.choice(names)} * {rng.randint(1, 9)} + {rng.choice(names)}"
        name = self.declare("id", "size_t")
        self.kernel(f"const size_t {name} = {value};")
        text = self.as_items(value)
        self.refer("for (size_t l = 0; l < size; l++) { const size_t g = ids[l]; (void)g; "
                   f"{name}_s[l] = {text}; }}")
        self.add(name, "id", "size_t")

    def declare_uniform(self):
        name = self.fresh("u")
        value = self.uniform()
        self.kernel(f"uint32_t {name} = {value};")
        self.refer(f"uint32_t {name} = {value.replace('reap_group_linear_id()', 'group')};")
        self.add(name, "uniform", "uint32_t")

    def declare_struct(self):
        a, b, c = self.value(), self.value(), self.value()
        name = self.declare("struct", "pair")
        self.kernel(f"pair {name} = {{{a}, {{{b}, {c}}}}};")
        self.refer("for (size_t l = 0; l < size; l++) { const size_t g = ids[l]; (void)g; "
                   f"{name}_s[l] = (pair){{{self.as_items(a)}, "
                   f"{{{self.as_items(b)}, {self.as_items(c)}}}}}; }}")
        self.add(name, "struct", "pair")

    def declare_array(self):
        values = [self.value() for _ in range(3)]
        name = self.declare("array", "uint32_t", "[3]")
        self.kernel(f"uint32_t {name}[3] = {{{', '.join(values)}}};")
        sets = " ".join(f"{name}_s[l][{i}] = {self.as_items(v)};" for i, v in enumerate(values))
        self.refer("for (size_t l = 0; l < size; l++) { const size_t g = ids[l]; (void)g; "
                   + sets + " }")
        self.add(name, "array", "uint32_t")

    def declare_pointer(self):
        targets = [v for v in self.variables("item") if v[2] == "uint32_t"]
        if not targets:
            return self.declare_item()
        target = self.rng.choice(targets)[0]
        name = self.declare("pointer", "uint32_t *")
        self.kernel(f"uint32_t *{name} = &{target};")
        self.refer(f"for (size_t l = 0; l < size; l++) {name}_s[l] = &{target}_s[l];")
        self.add(name, "pointer", "uint32_t *")

    def assign(self):
        rng = self.rng
        targets = self.variables("item", "struct", "array", "pointer", "uniform")
        if not targets:
            return self.declare_item()
        name, kind, type_ = rng.choice(targets)
        if kind == "uniform":
            value = self.uniform()
            text = rng.choice([f"{name} = {value};", f"{name} += {value};", f"{name}++;"])
            self.kernel(text)
            self.refer(text.replace("reap_group_linear_id()", "group"))
        elif kind == "struct":
            self.statement(f"{name}.{rng.choice(['a', 'b[0]', 'b[1]'])} += {self.value()};")
        elif kind == "array":
            self.statement(f"{name}[{rng.choice(['1', '(l + 1) % 3'])}] ^= {self.value()};")
        elif kind == "pointer":
            self.statement(f"*{name} += {self.value()};")
        elif type_ in ("float", "double"):
            self.statement(f"{name} = {name} * 0.5f + {self.value_of(type_)};")
        else:
            self.statement(f"{name} {rng.choice(['=', '+=', '^='])} {self.value_of(type_)};")

    def branch_of_items(self):
        """Work-items go different ways, without a barrier."""
        items = [v for v in self.variables("item") if v[2] not in ("float", "double")]
        if not items:
            return self.declare_item()
        a, b = self.rng.choice(items), self.rng.choice(items)
        rng = self.rng
        test = f"({self.value()} & {rng.choice([1, 3, 7])}u) == 1u"
        if rng.random() < 0.5:
            self.statement(f"if ({test}) {{ {a[0]} += 3; }} else {{ {b[0]} ^= 5; }}")
        else:
            self.statement(f"for (uint32_t k = 0; k < ({self.value()} & 7u); k++) "
                           f"{{ if ({test}) continue; if (k == 5) break; {a[0]} += 7; }}")

    def exchange(self):
        """Each work-item writes an element of local memory and reads others'."""
        rng = self.rng
        shift, value = rng.randint(0, 40), self.value()
        self.statement(f"shared[(l + {shift}) % size] = {value};")
        self.kernel("reap_barrier(REAP_LOCAL_SPACE);")
        if rng.random() < 0.3:
            name = self.declare("flag", "uint32_t")
            self.kernel(f"const uint32_t {name} = shared[{rng.randint(0, 9)} % size];")
            self.refer(f"for (size_t l = 0; l < size; l++) {name}_s[l] = "
                       f"{self.lines[-1].split('= ')[1]}")
            self.add(name, "flag", "uint32_t")
        else:
            name = self.declare("item", "uint32_t")
            self.kernel(f"uint32_t {name} = shared[(l * {rng.randint(1, 9)} + {rng.randint(0, 9)}) "
                        "% size];")
            text = self.lines[-1].split("= ")[1]
            self.refer(f"for (size_t l = 0; l < size; l++) {name}_s[l] = {text}")
            self.add(name, "item", "uint32_t")
        self.kernel("reap_barrier(REAP_LOCAL_SPACE);")

    def combine(self):
        self.statement(f"reap_combine(sum, {self.value()});")

    def block(self, count):
        self.scopes.append([])
        self.depth += 1
        for _ in range(count):
            self.any()
        self.fold(self.scopes[-1])
        self.depth -= 1
        self.scopes.pop()

    def branch(self):
        condition = self.condition_for_all()
        self.kernel(f"if ({condition}) {{")
        self.refer(f"if ({self.for_first(condition)}) {{")
        self.block(self.rng.randint(2, 5))
        if self.rng.random() < 0.5:
            self.kernel("} else {")
            self.refer("} else {")
            self.block(self.rng.randint(1, 3))
        self.kernel("}")
        self.refer("}")

    def for_first(self, condition):
        return self.as_items(condition).replace("[l]", "[0]")

    def loop(self):
        if self.loops == 3:
            return self.exchange()
        rng = self.rng
        self.loops += 1
        name, count = self.fresh("u"), rng.randint(1, 4)
        kind = rng.choice(["for", "for", "while", "do"])
        limit = rng.choice([f"{count}u", f"({self.uniform()} % {count + 1}u)"])
        reference_limit = limit.replace("reap_group_linear_id()", "group")
        if kind == "for":
            head = f"for (uint32_t {name} = 0; {name} < "
            self.kernel(head + limit + f"; {name}++) {{")
            self.refer(head + reference_limit + f"; {name}++) {{")
        else:
            for write in (self.kernel, self.refer):
                write(f"uint32_t {name} = 0;")
            self.scopes[-1].append((name, "counter", "uint32_t"))
            self.kernel("do {" if kind == "do" else f"while ({name} < {count}u) {{")
            self.refer("do {" if kind == "do" else f"while ({name} < {count}u) {{")
            self.depth += 1
            for write in (self.kernel, self.refer):
                write(f"{name}++;")
            self.depth -= 1
        self.scopes.append([(name, "counter", "uint32_t")])
        self.block(rng.randint(2, 5))
        if rng.random() < 0.4:
            condition = self.condition_for_all()
            word = rng.choice(["break", "continue"])
            self.depth += 1
            self.kernel(f"if ({condition}) {word};")
            self.refer(f"if ({self.for_first(condition)}) {word};")
            self.depth -= 1
            self.block(1)
        self.scopes.pop()
        end = f"}} while ({name} < {count}u);" if kind == "do" else "}"
        self.kernel(end)
        self.refer(end)
        self.loops -= 1

    def any(self):
        self.budget -= 1
        simple = [self.declare_item, self.declare_constant, self.declare_uniform, self.assign,
                  self.assign, self.assign, self.branch_of_items, self.exchange, self.exchange,
                  self.declare_struct, self.declare_array, self.declare_pointer, self.combine]
        if self.budget > 0 and self.depth < 5:
            simple += [self.branch, self.loop, self.loop]
        self.rng.choice(simple)()

    def fold(self, variables):
        """What these variables are becomes part of the result."""
        for name, kind, type_ in variables:
            if kind == "counter" or kind == "pointer":
                continue
            term = {"struct": f"{name}.a + 3u * {name}.b[0] + 5u * {name}.b[1]",
                    "array": f"{name}[0] + 3u * {name}[1] + 5u * {name}[2]"}.get(kind)
            if term is None:
                term = (f"(uint32_t)({name} * 4)" if type_ in ("float", "double")
                        else f"(uint32_t){name}")
            self.statement(f"result1 = result1 * 31u + ({term});")

    def make(self):
        rng = self.rng
        for name, type_ in (("result", "uint32_t"),):
            self.declared.append(f"static {type_} {name}1_s[MOST];")
        self.kernel("const size_t l = reap_local_linear_id(), g = reap_global_linear_id();")
        self.kernel("const size_t size = reap_local_linear_range();")
        if rng.random() < 0.3:
            test = f"reap_group_linear_id() % 4 == {rng.randint(0, 3)}"
            self.kernel(f"if ({test})")
            self.kernel("    return;")
            self.refer(f"if ({test.replace('reap_group_linear_id()', 'group')})")
            self.refer("    return;")
        self.kernel("uint32_t result1 = x[g];")
        self.refer("for (size_t l = 0; l < size; l++) result1_s[l] = x[ids[l]];")
        self.add("result1", "item", "uint32_t")
        while self.budget > 0:
            self.any()
        self.fold(self.scopes[0])
        if rng.random() < 0.5:
            self.statement_at_end()
        self.statement("y[g] = result1;")

    def statement_at_end(self):
        """Some work-items return early, after the last barrier."""
        test = f"({self.value()} & 3u) == 1u"
        self.kernel(f"if ({test}) {{")
        self.kernel("    y[g] = 77u;")
        self.kernel("    return;")
        self.kernel("}")
        self.refer("for (size_t l = 0; l < size; l++) { const size_t g = ids[l]; (void)g; "
                   f"done[l] = {self.as_items(test)}; if (done[l]) y[g] = 77u; }}")


# Names that hide others, and members with the names of variables.
HIDING = """
REAP_ND_KERNEL(random_hiding, in(uint32_t, x), out(uint32_t, y), value(size_t, n),
               local(uint32_t, shared), reduce(plus, uint64_t, sum))
{
    const size_t l = reap_local_linear_id();
    uint32_t v = x[reap_global_linear_id()], a = 3;
    pair r = {v, {v, v}};
    {
        uint32_t v = 5;
        shared[l] = v + (uint32_t)l;
        reap_barrier(REAP_LOCAL_SPACE);
        v += shared[0];
        r.a += v * a;
        reap_barrier(REAP_LOCAL_SPACE);
    }
    for (uint32_t v = 0; v < 2; v++) {
        shared[l] = r.b[v] + v;
        reap_barrier(REAP_LOCAL_SPACE);
        {
            const size_t n = v + 1, x = l;
            r.b[1] += shared[l] * (uint32_t)n + (uint32_t)x;
            uint32_t shared = r.b[1];
            reap_barrier(REAP_LOCAL_SPACE);
            r.b[0] ^= shared;
        }
        reap_barrier(REAP_LOCAL_SPACE);
    }
    for (size_t l = 0, n = 2; l < n; l++)
        v += (uint32_t)l * 3;
    y[reap_global_linear_id()] = v + r.a + r.b[0] * 3 + r.b[1] * 5 + a + (uint32_t)n;
    reap_combine(sum, v);
}
"""
HIDING_REFERENCE = """
static void reference_hiding(const uint32_t *x, uint32_t *y, size_t n, size_t group, size_t size,
                             const size_t *ids)
{
    for (size_t l = 0; l < size; l++) {
        const uint32_t v = x[ids[l]], a = v + (5 + 5) * 3;
        uint32_t b[2] = {v, v};
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t shared = b[k] + k;
            b[1] += shared * (k + 1) + (uint32_t)l;
            b[0] ^= b[1];
        }
        y[ids[l]] = v + 3 + a + b[0] * 3 + b[1] * 5 + 3 + (uint32_t)n;
        sum += v + 3;
    }
    (void)group;
}
"""


def write(seed, count, folder):
    rng = random.Random(seed)
    kernels = []
    for k in range(count):
        kernel = Kernel(rng, f"random_{k}")
        kernel.make()
        kernels.append(kernel)
    with open(f"{folder}/random.kernels.h", "w") as file:
        file.write("#include <reap/kernel.h>\n\ntypedef struct {\n    uint32_t a, b[2];\n} pair;\n\n"
                   "static uint32_t mix(uint32_t a, uint32_t b)\n{\n"
                   "    for (int i = 0; i < 2; i++)\n        a = (a ^ (b >> 5)) * 2654435761u;\n"
                   "    return a;\n}\n")
        file.write(HIDING)
        for kernel in kernels:
            file.write(f"\nREAP_ND_KERNEL({kernel.name}, in(uint32_t, x), out(uint32_t, y), "
                       "value(size_t, n), local(uint32_t, shared),\n               "
                       "reduce(plus, uint64_t, sum))\n{\n" + "\n".join(kernel.lines) + "\n}\n")
    with open(f"{folder}/reference.h", "w") as file:
        file.write("#undef reap_combine\n#define reap_combine(sum, v) (sum += (v))\n")
        file.write(HIDING_REFERENCE)
        for kernel in kernels:
            file.write(f"\nstatic void reference_{kernel.name[7:]}(const uint32_t *x, uint32_t *y, "
                       "size_t n, size_t group, size_t size, const size_t *ids)\n{\n"
                       "    static uint32_t shared[MOST];\n    static bool done[MOST];\n"
                       "    memset(done, 0, sizeof done);\n    "
                       + "\n    ".join(kernel.declared) + "\n"
                       + "\n".join(line.replace("{ const size_t g = ids[l];",
                                                "if (!done[l]) { const size_t g = ids[l];")
                                   for line in kernel.reference) + "\n}\n")
        file.write("\n#define KERNELS(X) " + " ".join(f"X({k})" for k in [*range(count), "hiding"]) + "\n")


write(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
