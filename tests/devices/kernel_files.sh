# SPDX-License-Identifier: Apache-2.0
#
# To be sourced. kernel_files FOLDER...: the kernel files that devices can compile, one a line. For
# the host alone are those whose kernels, one in each, call functions of a C file (compile_host:
# name a variable of one); for none those that are to be refused, or have no kernel.
kernel_files() {
    find "$@" -name '*.kernels.h' | sort | grep -vxF 'algorithms/bins_elements.kernels.h
algorithms/numbers.kernels.h
tests/conformance/plugins_variable.kernels.h
tests/dialect/elsewhere.kernels.h
tests/dialect/exactness/exact.kernels.h
tests/unit/cancellation_host.kernels.h
tests/unit/compile_host.kernels.h
tests/unit/group_registers.kernels.h
tests/unit/helpers.kernels.h
tests/unit/program_variables.kernels.h
tests/work_groups/between_wrong.kernels.h
tests/work_groups/leaving.kernels.h
tests/work_groups/phase_waits.kernels.h
tests/work_groups/refusals.kernels.h
tests/work_groups/sub_group_refusals.kernels.h
tests/work_groups/sub_group_spans.kernels.h'
}
