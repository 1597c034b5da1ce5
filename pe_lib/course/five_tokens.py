"""Five tokens of six features, whose queries and keys chapters 04 and 05 turn by hand.

The first five words of the running sentence, with shorter rows. All numbers have one decimal. The
query of the token at position 1 and the key of the token at position 3 are the two that every
chapter and figure follows.
"""

import torch

QUERY = torch.tensor([0.5, 1.0, -0.5, 0.8, -1.2, 0.3], dtype=torch.float64)
KEY = torch.tensor([-0.7, 0.9, 0.4, -0.6, 1.1, -0.2], dtype=torch.float64)

TOKENS = ("the", "cat", "sat", "on", "the")

# fmt: off
# A row for each token. Row 1 times W_Q is QUERY, row 3 times W_K is KEY.
EMBEDDINGS = torch.tensor([
    [0.1, -0.8, 0.6, -0.4, 0.2, 0.6],
    [-0.1, -1.0, -0.5, 1.0, 0.3, 0.0],
    [-0.6, 0.1, 0.7, -0.9, -0.9, 0.0],
    [-0.8, -0.7, -0.5, -0.7, -0.4, 1.0],
    [0.1, -0.8, 0.6, -0.4, 0.2, 0.6],
], dtype=torch.float64)
W_Q = torch.tensor([
    [-0.4, 0.5, 0.4, -0.2, -0.7, 0.1],
    [0.8, -0.3, 0.8, 0.1, 0.5, -0.1],
    [-0.8, 0.8, 0.8, -0.3, 0.3, -0.2],
    [0.8, 1.0, 0.5, 1.0, -0.8, 0.2],
    [0.2, 0.5, 0.8, -0.9, 0.6, -0.3],
    [-0.3, 0.5, 0.8, -0.5, -1.0, 0.5],
], dtype=torch.float64)
W_K = torch.tensor([
    [-0.9, 0.3, -0.1, 0.9, -0.1, -0.6],
    [0.7, -0.1, -0.8, -0.8, 0.4, -0.6],
    [0.6, 0.2, -0.2, 0.8, -0.2, 0.4],
    [-0.7, 0.1, -0.2, 0.8, -0.6, 1.0],
    [0.8, -0.6, -0.3, -0.3, -0.2, 0.5],
    [-0.8, 1.0, -0.6, 0.4, 0.7, 0.0],
], dtype=torch.float64)
# fmt: on
