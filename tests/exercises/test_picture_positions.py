"""The right answer of ``check.picture_positions`` beside the model that has these positions."""

import pytest
import torch

from pe_lib.exercises import check


@pytest.fixture(scope="module")
def model():
    """Without weights: positions take none. (Imported only here, as that takes seconds.)"""
    from transformers import Qwen2VLConfig
    from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel

    config = Qwen2VLConfig(text_config={"num_hidden_layers": 1}, vision_config={"depth": 1})
    with torch.device("meta"):
        return Qwen2VLModel(config)


@pytest.mark.parametrize("each", check.picture_positions.calls, ids=lambda each: str(each.args))
def test_as_qwen2_vl(model, each):
    text_before, height, width, text_after = each.args
    kinds = [0] * text_before + [1] * (height * width) + [0] * text_after  # 1 for the picture
    merge = model.config.vision_config.spatial_merge_size  # its grid counts patches before that
    positions, _ = model.get_rope_index(
        input_ids=torch.zeros(1, len(kinds), dtype=torch.int64),
        mm_token_type_ids=torch.tensor([kinds]),
        image_grid_thw=torch.tensor([[1, merge * height, merge * width]]),
    )
    assert merge == 2
    assert torch.equal(check.picture_positions.reference(*each.args), positions[:, 0])
