"""What several exercises name: the chapter's sections."""

# Titles of the sections of chapter 00 (a test finds each of them there).
ATTENTION = "Attention in twelve lines"
MASK = "The mask: no looking ahead"
HEADS = "Heads: several small attentions"
CACHE = "The KV cache: decoding one word at a time"
ANGLES = "Angles: radians and degrees"
ROTATION = "A rotation of the plane"
COMPLEX = "The same turn with complex numbers"
SCORE = "The dot product under rotation"
