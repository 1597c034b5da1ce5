"""Absolute positions: a vector for every position, added to the embedding of what stands there."""
