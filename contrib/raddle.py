"""Tool-info module of raddle for BenchExec.

Copy it into a folder of Python's path, or name it by its module: `contrib.raddle` from the root of the repository.
The result is the last line that raddle prints, `svcomp: TRUE`, `svcomp: FALSE(...)` or `svcomp: UNKNOWN`; no other
line is read, so a violation that is not one of the property of the task is `unknown`.

SPDX-License-Identifier: MIT OR Apache-2.0
"""

import re

import benchexec.result as result
import benchexec.tools.template

# FALSE(...) without a subproperty of this table is an error, not a result.
FALSE_RESULTS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-data-race": result.RESULT_FALSE_DATARACE,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "termination": result.RESULT_FALSE_TERMINATION,
}
ANSWER = re.compile(r"svcomp: (TRUE|UNKNOWN|FALSE\(([a-z-]+)\))\s*")
# Codes of the contract: 0 proved, 1 violated, 2 bounded, 3 unknown. All others are errors.
ERRORS = {
    64: "usage error",
    65: "input error",
    70: "internal error",
    74: "output error",
}
DATA_MODELS = ("ILP32", "LP64")


class Tool(benchexec.tools.template.BaseTool2):
    """raddle, a verifier of multi-threaded C."""

    def name(self):
        return "raddle"

    def executable(self, tool_locator):
        return tool_locator.find_executable("raddle", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="raddle")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--svcomp", task.property_file]
        data_model = (task.options or {}).get("data_model") if isinstance(task.options, dict) else None
        if data_model:
            if data_model not in DATA_MODELS:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"the data model {data_model!r} of the task is not supported"
                )
            command += ["--data-model", data_model]
        # A partial answer in time is worth more than to be killed.
        if rlimits.walltime and "--timeout" not in options:
            command += ["--timeout", str(rlimits.walltime)]
        elif rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(rlimits.cputime)]
        if rlimits.memory and "--memory-limit" not in options:
            # What the compiler and the system need stays free.
            megabytes = rlimits.memory // 1_000_000
            command += ["--memory-limit", str(max(16, megabytes * 9 // 10))]
        return [*command, *task.input_files]

    def determine_result(self, run):
        if run.exit_code.signal:
            return f"{result.RESULT_ERROR} (signal {run.exit_code.signal})"
        if run.exit_code.value in ERRORS:
            return f"{result.RESULT_ERROR} ({ERRORS[run.exit_code.value]})"
        for line in reversed(list(run.output)):
            answer = ANSWER.fullmatch(line)
            if not answer:
                continue
            if answer.group(1) == "TRUE":
                return result.RESULT_TRUE_PROP
            if answer.group(1) == "UNKNOWN":
                return result.RESULT_UNKNOWN
            return FALSE_RESULTS.get(answer.group(2), result.RESULT_ERROR)
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        # The statistics of `--stats`: `name: value`.
        prefix = identifier + ": "
        for line in output:
            if line.startswith(prefix):
                return line[len(prefix) :].strip()
        return None
