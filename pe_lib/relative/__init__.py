"""Relative positions: a term in the score that knows how far the key is from the query.

All of them read ``j - i`` (key minus query: negative for keys of the past) and are aligned at the
end, so that the last query sees the last key.
"""
