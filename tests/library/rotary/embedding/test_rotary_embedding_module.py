"""RotaryEmbedding as a part of models: cast, moved, saved, compiled, exported, trained through."""

import copy
import io
import pickle

import pytest
import torch
from torch import nn

from pe_lib import RotaryEmbedding, available_devices, inverse_frequencies

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
FIXED = [{}, {"use_xpos": True}, {"seq_before_head_dim": True}]
OPTIONS = [*FIXED, {"learned_freq": True}]


def randn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


@pytest.fixture
def q():
    return randn(2, 3, 5, 16)


@pytest.fixture
def k():
    return randn(2, 3, 5, 16, seed=1)


@pytest.fixture
def rotary():
    return RotaryEmbedding(8)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("device", [*available_devices(), "meta"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_keeps_dtype_device_and_shape(options, device, dtype, q, k):
    if device == "mps" and dtype == torch.float64:
        dtype = torch.float32  # that device has no float64
    rotary = RotaryEmbedding(16, **options).to(device)
    before = q.clone()
    for result in rotary.rotate_queries_and_keys(q.to(device, dtype), k.to(device, dtype)):
        assert result.dtype == dtype
        assert result.device.type == device
        assert result.shape == q.shape
    assert torch.equal(q, before)


def test_the_module_may_be_elsewhere(rotary, q):
    assert rotary.rotate_queries_or_keys(q.to("meta")).is_meta


@pytest.mark.parametrize(
    "cast",
    [nn.Module.half, nn.Module.bfloat16, nn.Module.float, nn.Module.double]
    + [lambda module, dtype=dtype: module.to("cpu", dtype) for dtype in FLOATS],
)
@pytest.mark.parametrize("options", FIXED, ids=str)
def test_casts_of_the_model_change_nothing(options, cast, q, k):
    model = nn.Sequential(nn.Linear(8, 8), RotaryEmbedding(16, **options))
    before = model[1].rotate_queries_with_cached_keys(q, k, offset=100_000)
    cast(model)
    after = model[1].rotate_queries_with_cached_keys(q, k, offset=100_000)
    assert model[1].freqs.dtype == torch.float64
    assert torch.equal(before[0], after[0])
    assert torch.equal(before[1], after[1])


def test_learned_frequencies_are_cast_as_all_parameters_are(q):
    rotary = RotaryEmbedding(8, learned_freq=True)
    assert rotary.freqs.dtype == torch.float32
    rotary.rotate_queries_or_keys(q).sum().backward()
    rotary.bfloat16()
    assert rotary.freqs.dtype == rotary.freqs.grad.dtype == torch.bfloat16
    angles = rotary(torch.arange(5))
    assert torch.equal(angles[:, ::2], torch.arange(5.0)[:, None] * rotary.freqs.double())


@pytest.mark.parametrize("learned", [False, True])
def test_only_learned_frequencies_are_parameters(learned):
    rotary = RotaryEmbedding(8, learned_freq=learned)
    assert [name for name, _ in rotary.named_parameters()] == ["freqs"] * learned
    assert [name for name, _ in rotary.named_buffers()] == ["freqs"] * (not learned)
    assert list(rotary.state_dict()) == ["freqs"]


def test_a_buffer_that_something_has_cast_is_refused(q):
    rotary = RotaryEmbedding(8)
    rotary.freqs.data = rotary.freqs.bfloat16()  # what FSDP1 does with a buffer_dtype
    expected = r"^freqs: expected float64, as they were made, got torch.bfloat16: .*buffer_dtype"
    with pytest.raises(ValueError, match=expected):
        rotary.rotate_queries_or_keys(q)


def test_where_there_is_no_float64_fixed_frequencies_stay():
    """MPS; played here, because few machines have it."""

    class OnMps:
        device = torch.device("mps")

    rotary, tried = RotaryEmbedding(8), []
    rotary._apply(lambda tensor: tried.append(tensor.dtype) or OnMps())
    assert tried == [torch.float32]
    assert rotary.freqs.device.type == "cpu"
    assert rotary.freqs.dtype == torch.float64


def test_autocast_changes_nothing(rotary, q, k):
    expected = rotary.rotate_queries_and_keys(q, k)
    angles = rotary(torch.arange(5))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        result = rotary.rotate_queries_and_keys(q, k)
        assert torch.equal(rotary(torch.arange(5)), angles)
    assert torch.equal(result[0], expected[0])
    assert torch.equal(result[1], expected[1])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_copies_and_files_give_the_same(options, q, k):
    rotary = RotaryEmbedding(16, **options)
    with torch.no_grad():
        rotary.freqs.mul_(1.5)
    file = io.BytesIO()
    torch.save(rotary, file)
    file.seek(0)
    loaded = RotaryEmbedding(16, **options)
    loaded.load_state_dict(rotary.state_dict(), strict=True)
    expected = rotary.rotate_queries_and_keys(q, k)
    for other in (
        copy.deepcopy(rotary),
        pickle.loads(pickle.dumps(rotary)),
        torch.load(file, weights_only=False),
        loaded,
    ):
        result = other.rotate_queries_and_keys(q, k)
        assert torch.equal(result[0], expected[0])
        assert torch.equal(result[1], expected[1])
        assert other.freqs.requires_grad == rotary.freqs.requires_grad
        assert other.freqs.data_ptr() != rotary.freqs.data_ptr()


@pytest.mark.parametrize("assign", [False, True])
@pytest.mark.parametrize("saved", FLOATS, ids=str)
@pytest.mark.parametrize("learned", [False, True])
def test_a_checkpoint_of_another_dtype_keeps_that_of_the_module(learned, saved, assign):
    """Such as one of rotary-embedding-torch, or one of float64 Parameters."""
    model = nn.Sequential(nn.Linear(2, 2), RotaryEmbedding(8, learned_freq=learned))
    before = model[1].freqs.dtype
    freqs = (2 * inverse_frequencies(8)).to(saved)
    state = model.state_dict() | {"1.freqs": freqs}
    model.load_state_dict(state, assign=assign)
    assert model[1].freqs.dtype == before == (torch.float32 if learned else torch.float64)
    assert torch.equal(model[1].freqs, freqs.to(before))
    assert state["1.freqs"] is freqs


def test_made_on_meta_and_given_memory_later(q):
    expected = RotaryEmbedding(8, theta=500).rotate_queries_or_keys(q)
    with torch.device("meta"):
        rotary = RotaryEmbedding(8, theta=500)
    assert rotary.device.type == "meta"
    rotary.to_empty(device="cpu")
    rotary.reset_parameters()
    assert rotary.freqs.dtype == torch.float64
    assert torch.equal(rotary.rotate_queries_or_keys(q), expected)


def test_freqs_are_made_on_the_default_device():
    for device in available_devices():
        with torch.device(device):
            # MPS has no float64.
            assert RotaryEmbedding(8).device.type == ("cpu" if device == "mps" else device)


@pytest.mark.parametrize("use_xpos", [False, True])
@pytest.mark.parametrize("freqs_for", ["lang", "pixel"])
def test_gradients_are_right(freqs_for, use_xpos):
    rotary = RotaryEmbedding(4, freqs_for=freqs_for, learned_freq=True, use_xpos=use_xpos)
    q, k = (randn(1, 3, 6, seed=s, dtype=torch.float64).requires_grad_() for s in (0, 1))

    def rotated(freqs, q, k):
        angles = torch.func.functional_call(rotary, {"freqs": freqs}, torch.arange(3))
        q, k = rotary.rotate_queries_and_keys(q, k)
        return angles, q, k

    freqs = rotary.freqs.detach().double().requires_grad_()
    assert torch.autograd.gradcheck(rotated, (freqs, q, k))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_learned_frequencies_get_their_gradient_in_every_dtype(dtype):
    q, k = randn(2, 5, 8).to(dtype), randn(2, 5, 8, seed=1).to(dtype)
    rotary = RotaryEmbedding(8, learned_freq=True)
    q, k = rotary.rotate_queries_and_keys(q, k)
    (q @ k.mT).sum().backward()
    assert rotary.freqs.grad.dtype == torch.float32
    assert (rotary.freqs.grad != 0).all()
    before = rotary.freqs.detach().clone()
    torch.optim.SGD(rotary.parameters(), lr=0.1).step()
    assert not torch.equal(rotary.freqs, before)


def test_fixed_frequencies_get_none_and_keep_no_graph(rotary, q):
    assert not rotary.freqs.requires_grad
    assert not rotary.rotate_queries_or_keys(q).requires_grad
    assert torch.equal(rotary.freqs, inverse_frequencies(8))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_far_positions_are_exact_in_half_precision(rotary, dtype):
    t = randn(1, 4, 8).to(dtype)
    exact = rotary.rotate_queries_or_keys(t.double(), offset=100_000)
    ours = rotary.rotate_queries_or_keys(t, offset=100_000).double()
    rounding = torch.finfo(dtype).eps / 2
    assert ((ours - exact).abs() <= exact.abs() * rounding + 1e-6).all()


def test_vmap(rotary, q):
    mapped = torch.vmap(rotary.rotate_queries_or_keys)(q)
    torch.testing.assert_close(mapped, rotary.rotate_queries_or_keys(q))


class Attention(nn.Module):
    """What a model does with the module, as one function of tensors."""

    def __init__(self, **options):
        super().__init__()
        self.rotary = RotaryEmbedding(16, **options)

    def forward(self, q, k, offset=0):
        return self.rotary.rotate_queries_with_cached_keys(q, k, offset=offset)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    "options", [{"use_xpos": True}, {"learned_freq": True, "seq_before_head_dim": True}], ids=str
)
class TestGraphs:
    @pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
    @pytest.mark.parametrize("backend", ["eager", pytest.param("inductor", marks=pytest.mark.slow)])
    def test_compiled_to_one_graph_for_changing_lengths(self, options, backend):
        model = Attention(**options)
        torch.compiler.reset()
        fast = torch.compile(model, fullgraph=True, backend=backend)
        for q_len, k_len, offset in ((5, 5, 0), (9, 9, 0), (1, 10, 0), (1, 11, 0), (3, 20, 70_000)):
            q, k = randn(2, 3, q_len, 16), randn(2, 3, k_len, 16, seed=1)
            if options.get("seq_before_head_dim"):
                q, k = q.transpose(1, 2), k.transpose(1, 2)
            expected = model(q, k, offset)
            torch.testing.assert_close(fast(q, k, offset), expected, rtol=1e-6, atol=1e-6)
        with torch.no_grad():
            model.rotary.freqs.data.mul_(2)  # seen by the compiled code too
        expected = model(q, k, offset)
        torch.testing.assert_close(fast(q, k, offset), expected, rtol=1e-6, atol=1e-6)

    def test_exported_for_every_length(self, options):
        model = Attention(**options)
        axis = 1 if options.get("seq_before_head_dim") else 2
        shape = [2, 3, 3, 16]
        shape[axis] = 7
        length = {axis: torch.export.Dim("length", min=2, max=100_000)}
        sample = (randn(*shape), randn(*shape, seed=1))
        exported = torch.export.export(model, sample, dynamic_shapes=(length, length)).module()
        for n in (7, 2, 300):
            shape[axis] = n
            q, k = randn(*shape), randn(*shape, seed=1)
            torch.testing.assert_close(exported(q, k), model(q, k), rtol=1e-6, atol=1e-6)


@pytest.mark.usefixtures("without_shape_checks")
def test_axial_angles_compile():
    rotary = RotaryEmbedding(8, freqs_for="pixel")
    torch.compiler.reset()
    fast = torch.compile(rotary.get_axial_freqs, fullgraph=True, backend="eager")
    for height, width in ((3, 4), (5, 2), (6, 6)):
        expected = rotary.get_axial_freqs(height, width, offsets=(1, 0.5))
        torch.testing.assert_close(fast(height, width, offsets=(1, 0.5)), expected)
