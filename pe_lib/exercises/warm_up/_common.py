"""What several exercises share: the titles of the chapter's sections."""

# Titles of the sections of chapter 00 (a test finds each of them there).
ATTENTION = "Attention in twelve lines"
MASK = "The mask: no looking ahead"
HEADS = "Heads: several small attentions"
CACHE = "The KV cache: one word at a time"
ROTATION = "An arrow, turned"
COMPLEX = "Complex numbers as turns"
SCORE = "The score of two turned arrows"
