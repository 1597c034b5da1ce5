"""Relative positions: a term in the score that knows how far the key is from the query.

Query ``i``, key ``j``: ``j - i`` is negative for keys of the past. All are aligned at the end, so
that the last query sees the last key.
"""
