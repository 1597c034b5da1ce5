"""Positions behind padding, in packed sequences, on ranks, and around pictures."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    TransformerLM,
    mrope_cos_sin,
    mrope_position_ids,
    positions_from_cu_seqlens,
    positions_from_mask,
    zigzag_positions,
)
from tests.helpers import compiled


class TestMask:
    @pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.int32, torch.uint8])
    def test_left_right_and_between(self, dtype):
        mask = torch.tensor([[1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0]])
        expected = [[0, 1, 2, 3], [0, 0, 0, 1], [0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
        positions = positions_from_mask(mask.to(dtype))
        assert positions.tolist() == expected
        assert positions.dtype == torch.int64

    def test_a_model_with_these_positions_is_the_row_alone(self):
        """The model counts by itself where it is given the mask: the same places."""
        torch.manual_seed(0)
        model = TransformerLM(20, 16, 2, 2, max_len=16, position="rope")
        tokens, mask = torch.randint(20, (1, 9)), torch.ones(1, 9, dtype=torch.bool)
        mask[0, :4] = False
        assert positions_from_mask(mask)[0, 4:].tolist() == [0, 1, 2, 3, 4]
        padded, alone = model(tokens, attention_mask=mask)[:, 4:], model(tokens[:, 4:])
        torch.testing.assert_close(padded, alone, rtol=0, atol=1e-5)

    @pytest.mark.usefixtures("without_shape_checks")
    @pytest.mark.parametrize(
        ("mask", "error", "message"),
        [
            ([[1, 1]], TypeError, "a tensor of bools or integers, got [[1, 1]] (list)"),
            (torch.ones(2), TypeError, "an integer tensor, got dtype torch.float32"),
            (torch.tensor(True), ValueError, "(..., seq), got no axis"),
        ],
    )
    def test_what_is_no_mask(self, mask, error, message):
        with pytest.raises(error) as caught:
            positions_from_mask(mask)
        assert str(caught.value) == f"attention_mask: expected {message}"


class TestPacked:
    @given(st.lists(st.integers(0, 7), min_size=1, max_size=6), st.integers(0, 5))
    def test_each_document_counts_from_0(self, lengths, rest):
        ends = torch.tensor([0, *lengths]).cumsum(0).to(torch.int32)
        expected = [place for length in (*lengths, rest) for place in range(length)]
        assert positions_from_cu_seqlens(ends, total=sum(lengths) + rest).tolist() == expected
        if not rest:
            assert positions_from_cu_seqlens(ends).tolist() == expected

    @pytest.mark.usefixtures("without_shape_checks")
    def test_compiles_whole(self):
        fast = compiled(positions_from_cu_seqlens, "eager")
        for ends in ([0, 3, 5], [0, 1, 5]):
            ends = torch.tensor(ends)
            assert torch.equal(fast(ends, total=5), positions_from_cu_seqlens(ends))

    @pytest.mark.usefixtures("without_shape_checks")
    @pytest.mark.parametrize(
        ("arguments", "error", "message"),
        [
            (([0, 3],), TypeError, "cu_seqlens: expected an integer tensor, got [0, 3] (list)"),
            (
                (torch.tensor([0.0, 3.0]),),
                TypeError,
                "cu_seqlens: expected an integer tensor, got dtype torch.float32",
            ),
            (
                (torch.tensor([[0, 3]]),),
                ValueError,
                "cu_seqlens: expected (documents + 1,) of 0 and where each document ends, "
                "got shape (1, 2)",
            ),
        ],
    )
    def test_what_is_none(self, arguments, error, message):
        with pytest.raises(error) as caught:
            positions_from_cu_seqlens(*arguments)
        assert str(caught.value) == message


class TestZigzag:
    @given(st.integers(1, 5), st.integers(1, 4))
    def test_all_ranks_together_have_every_position_once(self, world_size, piece):
        length = 2 * world_size * piece
        shares = [zigzag_positions(length, rank, world_size) for rank in range(world_size)]
        assert sorted(torch.cat(shares).tolist()) == list(range(length))
        # The keys that its queries see under a causal mask: as many on every rank.
        assert len({int((share + 1).sum()) for share in shares}) == 1

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((12, 0, 4), "seq_len: expected a multiple of 2 * world_size = 8, got 12"),
            ((16, 4, 4), "rank: expected an int from 0 to 3, got 4"),
            ((16, -1, 4), "rank: expected an int from 0 to 3, got -1"),
            ((16, 0, 0), "world_size: expected an int >= 1, got 0"),
            ((0, 0, 1), "seq_len: expected an int >= 1, got 0"),
        ],
    )
    def test_out_of_range(self, arguments, message):
        with pytest.raises(ValueError) as caught:
            zigzag_positions(*arguments)
        assert str(caught.value) == message


class TestMrope:
    def test_a_text_counts_on(self):
        assert torch.equal(mrope_position_ids([5]), torch.arange(5).expand(3, 1, 5))
        assert mrope_position_ids([]).shape == (3, 1, 0)
        assert torch.equal(mrope_position_ids([2, 0, 3]), mrope_position_ids([5]))

    def test_a_video_written_out(self):
        ids = mrope_position_ids([1, (2, 1, 2), 2], time_interval=3)[:, 0]
        assert ids.tolist() == [
            [0, 1, 1, 4, 4, 5, 6],
            [0, 1, 1, 1, 1, 5, 6],
            [0, 1, 2, 1, 2, 5, 6],
        ]

    def test_tables_can_be_made_of_it(self):
        cos, _ = mrope_cos_sin(mrope_position_ids([3, (1, 4, 6)]), 16, (2, 3, 3))
        assert cos.shape == (1, 27, 8)

    @pytest.mark.parametrize("kind", ["qwen2_vl", "qwen2_5_vl", "qwen3_vl"])
    def test_as_transformers(self, kind):
        """Grids as the processor gives them, a picture and a short video among words."""
        import importlib

        code = importlib.import_module(f"transformers.models.{kind}.modeling_{kind}")
        [owner] = [
            value
            for name, value in vars(code).items()
            if name.endswith("Model") and hasattr(value, "get_rope_index") and "VL" in name
        ]
        image, text = torch.tensor([[1, 8, 12]]), 0
        types = [text] * 3 + [1] * 24 + [text] * 5

        class Config:
            class vision_config:
                spatial_merge_size = 2
                tokens_per_second = 2

        class Stub:
            config = Config
            get_vision_position_ids = owner.get_vision_position_ids

        ids, deltas = owner.get_rope_index(
            Stub(), torch.zeros(1, 32, dtype=torch.int64), torch.tensor([types]), image
        )
        ours = mrope_position_ids([3, (1, 8, 12), 5], spatial_merge_size=2)
        assert torch.equal(ours, ids)
        assert int(ours.max()) + 1 - 32 == deltas.item()

    @pytest.mark.usefixtures("without_shape_checks")
    @pytest.mark.parametrize(
        ("parts", "options", "message"),
        [
            (
                5,
                {},
                "parts: expected a list of lengths of text and grids (frames, rows, columns), "
                "got 5 (int)",
            ),
            ([1.5], {}, "parts: expected an int >= 0, got 1.5 (float)"),
            ([-1], {}, "parts: expected an int >= 0, got -1"),
            ([(2, 2)], {}, "parts: expected an int or (frames, rows, columns), got (2, 2) (tuple)"),
            ([(1, 0, 2)], {}, "parts: expected an int >= 1, got 0"),
            (
                [(1, 3, 4)],
                {"spatial_merge_size": 2},
                "parts: expected rows and columns that are multiples of spatial_merge_size = 2, "
                "got (1, 3, 4) (tuple)",
            ),
            ([1], {"time_interval": 0}, "time_interval: expected a finite number > 0, got 0"),
            ([1], {"spatial_merge_size": 0}, "spatial_merge_size: expected an int >= 1, got 0"),
        ],
    )
    def test_what_is_no_part(self, parts, options, message):
        with pytest.raises((TypeError, ValueError)) as caught:
            mrope_position_ids(parts, **options)
        assert str(caught.value) == message
