"""Whether a model that has seen digits in many sizes can do with continued positions.

Small vision models with axial RoPE learn digits on pages of 16 x 16 patches, where each digit has a
place of its own. Some see all digits in one size, and some in five sizes. Then they read the same
pages in 32 x 32 patches, with positions continued or stretched.
``python -m pe_lib.experiments digit_sizes`` trains them anew.
"""

from pe_lib.experiments.digit_sizes.record import read_provenance, read_record

__all__ = ["read_provenance", "read_record"]
