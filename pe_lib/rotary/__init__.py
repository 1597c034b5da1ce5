"""Rotary encoding: every pair of a query's or key's features is turned by its position.

``apply`` has the rotation itself, ``layouts`` the two orders of a head's features, ``complex`` the
same turn in another form. ``axial``, ``mixed`` and ``multimodal`` turn by several coordinates,
``xpos`` scales what is turned, ``scaling`` changes the frequencies for longer texts, and
``embedding`` is one class for users of rotary-embedding-torch.
"""
