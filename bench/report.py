"""The report, for people and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from bench.machine import Machine
from bench.measure import Ratio, Row, Section

FOOT: Final = (
    "Medians of rounds that took turns. cap: what the cores could do by the CPU time spent, with",
    "nothing else to do; company makes CPU time dearer too, so trust ratios first.",
)


class Report(msgspec.Struct, frozen=True):
    """All that one run found."""

    machine: Machine
    seconds: float
    sections: list[Section]


def report_text(report: Report) -> str:
    """Tables for a terminal."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield _machine(report.machine)
    for section in report.sections:
        yield from ("", section.title, "")
        yield from _table(section.rows, report.machine.cores)
        yield ""
        yield from (_ratio(ratio) for ratio in section.ratios)
        yield from (f"  ({note})" for note in section.notes)
    yield from ("", *FOOT, f"{report.seconds:.0f} s")


def _machine(machine: Machine) -> str:
    return (
        f"{machine.cores} cores ({machine.processor}), load {machine.load:.1f},"
        f" fsync {machine.fsync:.2f} ms, Python {machine.python}"
    )


def _table(rows: Sequence[Row], cores: int) -> Iterator[str]:
    head = ["", "median", "lowest", "highest", "", "cap", "p50 ms", "p99 ms", "CPU ms each"]
    cells = [head, *(_cells(row, cores) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    for name, *figures, cpu in cells:
        aligned = (text.rjust(width) for text, width in zip(figures, widths[1:-1], strict=True))
        yield "  ".join(["", name.ljust(widths[0]), *aligned, cpu]).rstrip()


def _cells(row: Row, cores: int) -> list[str]:
    rates = [f"{rate:,.0f}" for rate in (row.rate, row.lowest, row.highest)]
    latencies = ["" if value is None else f"{value:.1f}" for value in (row.p50, row.p99)]
    cpu = ", ".join(f"{who} {spent:.2f}" for who, spent in row.cpu.items())
    spent = sum(row.cpu.values())
    cap = f"{cores * 1000 / spent:,.0f}" if spent else ""
    return [row.name, *rates, row.unit, cap, *latencies, cpu]


def _ratio(ratio: Ratio) -> str:
    text = f"  {ratio.value:7.1%}  {ratio.name}"
    if ratio.by_cpu is not None:
        text += f"; by CPU time {ratio.by_cpu:.1%}"
    if ratio.wanted is not None:
        text += f" ({'required' if ratio.binding else 'to aim at'}: {ratio.wanted:.0%})"
    return text


def report_json(report: Report) -> bytes:
    """The same for programs."""
    return msgspec.json.format(msgspec.json.encode(report))
