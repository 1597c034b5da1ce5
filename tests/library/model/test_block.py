"""The block's two steps: each is behind a normalisation and added to its input."""

import torch

from pe_lib import TransformerBlock
from tests.helpers import randn


def test_a_block_whose_parts_say_nothing_changes_nothing():
    block, x = TransformerBlock(12, 3).double(), randn(2, 5, 12)
    assert not torch.equal(block(x), x)
    for parameter in (*block.attention.parameters(), *block.mlp.parameters()):
        parameter.data.zero_()
    assert torch.equal(block(x), x)


def test_what_a_block_adds_stays_where_the_input_is_shifted():
    """Attention and the net see normalised inputs alone."""
    torch.manual_seed(0)
    block, x = TransformerBlock(12, 3).double(), randn(2, 5, 12)
    torch.testing.assert_close(block(7 + x) - (7 + x), block(x) - x)
