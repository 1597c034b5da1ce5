"""Command line tools that set up, check and build the book. Run them from the repository's root."""

import sys

# jsonschema, which nbformat brings along, would load this for two seconds in every program, for a
# format of addresses that no schema of notebooks or settings asks for. It does without.
sys.modules.setdefault("rfc3987_syntax", None)
