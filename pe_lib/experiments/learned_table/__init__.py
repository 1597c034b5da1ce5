"""A learned position table and its training: rows that are used, and rows that never are.

A small language model has a table of 96 positions, and its training only ever shows it texts of 72
bytes. ``python -m pe_lib.experiments learned_table`` trains it anew and records the table at
several steps, and what a byte costs at every position, past the trained ones too.
"""

from pe_lib.experiments.learned_table.record import Record, read_provenance, read_record

__all__ = ["Record", "read_provenance", "read_record"]
