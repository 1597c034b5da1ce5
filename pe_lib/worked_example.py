"""One query and one key of six features, which chapters 04 and 05 turn by hand.

The query stands at position 1, the key at position 3, of a sequence of five tokens.
"""

import torch

QUERY = torch.tensor([0.5, 1.0, -0.5, 0.8, -1.2, 0.3], dtype=torch.float64)
KEY = torch.tensor([-0.7, 0.9, 0.4, -0.6, 1.1, -0.2], dtype=torch.float64)
