"""How long a rotation takes, by pe_lib and by other libraries, beside copying the same numbers.

``python -m benchmarks --record`` (in the repository) measures it and replaces the record.
"""

from pe_lib.experiments.rotary_speed.record import Speed, read_provenance, read_speeds

__all__ = ["Speed", "read_provenance", "read_speeds"]
