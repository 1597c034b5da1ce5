"""What attention sees of an encoding: similarities, distances, scores by offset, wavelengths.

For any table (length, dim), computed or learned, and for any scores. All is computed in float64 on
the CPU, and no gradient goes through it.

>>> from pe_lib import diagnostics, sinusoidal_encoding
>>> offset, mean, std = diagnostics.similarity_by_offset(sinusoidal_encoding(100, dim=512))
>>> print(f"offset {offset[5]}: {mean[5]:.3f} ± {std[5]:.3f}")
offset 5: 189.597 ± 0.000
"""

from pe_lib.diagnostics.by_offset import score_by_offset, similarity_by_offset
from pe_lib.diagnostics.similarity import neighbour_distances, off_diagonal, similarity_matrix
from pe_lib.diagnostics.text_map import ascii_map
from pe_lib.diagnostics.wavelengths import measured_wavelengths

__all__ = [
    "ascii_map",
    "measured_wavelengths",
    "neighbour_distances",
    "off_diagonal",
    "score_by_offset",
    "similarity_by_offset",
    "similarity_matrix",
]
