"""Rotary encoding: every pair of a query's or key's features is turned by its position.

``apply`` has the rotation, ``complex`` another form of it, ``layouts`` the orders of features;
``coordinates``, ``axial``, ``mixed`` and ``multimodal`` turn by several coordinates, ``scaling`` is
for longer texts, ``config`` reads what a published model does, ``module`` rotates q and k for it.
"""
