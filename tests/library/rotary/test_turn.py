"""The ways in which pairs are turned: few calls, pieces, in place; all give the same rotation."""

import inspect
import math
import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from pe_lib import apply_rotary, apply_rotary_complex, rotary_cos_sin
from pe_lib.rotary import _pieces, _turn
from tests.helpers import F64, randn

# Where the functions find their names: tests run a checked copy of every module.
TURN, PIECES = (
    inspect.unwrap(function).__globals__
    for function in (_turn.rotate_pairs, _pieces.turn_by_pieces)
)
LAYOUTS = pytest.mark.parametrize("interleaved", [False, True], ids=["half", "interleaved"])
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def table(positions, dim):
    return rotary_cos_sin(positions, dim, dtype=F64)


def turned_in_pieces(monkeypatch, size):
    """From here on a tensor of more than ``size`` numbers is large, and ``size`` are a piece."""
    if size is not None:
        monkeypatch.setitem(TURN, "SMALL", size)
        monkeypatch.setitem(PIECES, "SMALL", size)
        monkeypatch.setitem(PIECES, "AT_A_TIME", 2)


def exact(x, cos, sin, interleaved):
    """The rotation in float64, pair by pair."""
    pairs, result = cos.shape[-1], x.double().clone()
    a, b = (range(0, 2 * pairs, 2), range(1, 2 * pairs, 2))
    if not interleaved:
        a, b = range(pairs), range(pairs, 2 * pairs)
    first, second = result[..., list(a)], result[..., list(b)]
    result[..., list(a)] = first * cos - second * sin
    result[..., list(b)] = second * cos + first * sin
    return result


def layouts_of(x):
    """The same numbers, laid out in memory in other ways."""
    yield "as it is", x
    yield "heads in the middle", x.transpose(1, 2).contiguous().transpose(1, 2)
    yield "features first", x.movedim(-1, 0).contiguous().movedim(0, -1)
    yield "odd offset", torch.cat((x.new_zeros(1), x.flatten()))[1:].view(x.shape)
    yield "odd rows", torch.cat((x, x[..., :1]), dim=-1)[..., :-1]
    yield "negated later", torch.complex(x.double(), -x.double()).conj().imag.to(x.dtype)


@given(
    shape=st.tuples(*(st.integers(1, 4) for _ in range(2)), st.integers(1, 9)),
    pairs=st.integers(1, 4),
    rest=st.integers(0, 3),
    dtype=st.sampled_from(DTYPES),
    tables=st.sampled_from([torch.bfloat16, torch.float32, F64]),
    interleaved=st.booleans(),
    size=st.sampled_from([None, 1, 20, 1000]),
    seed=st.integers(0, 99),
)
def test_every_form_is_the_rotation(shape, pairs, rest, dtype, tables, interleaved, size, seed):
    x = randn(*shape, 2 * pairs + rest, seed=seed, dtype=dtype)
    cos, sin = (t.to(tables) for t in table(shape[-1], 2 * pairs))
    expected = exact(x, cos.double(), sin.double(), interleaved)
    # Half a unit in the last place, and 2^-22 of the pair's length (of float64: 2^-51).
    fine = F64 in (dtype, tables)
    unit = torch.ldexp(torch.ones_like(expected), expected.frexp().exponent)
    length = x.double().abs().max() * math.sqrt(2)
    bound = unit * torch.finfo(dtype).eps / 4 + length * (2.0**-51 if fine else 2.0**-22)
    smallest = torch.finfo(dtype).smallest_normal
    with pytest.MonkeyPatch.context() as monkeypatch:
        turned_in_pieces(monkeypatch, size)
        for how, same in layouts_of(x):
            result = apply_rotary(same, cos, sin, interleaved=interleaved)
            assert result.dtype == dtype, how
            assert ((result.double() - expected).abs() <= bound + smallest).all(), how
            assert torch.equal(same, x), how
            assert torch.equal(result[..., 2 * pairs :], x[..., 2 * pairs :]), how


@LAYOUTS
@pytest.mark.parametrize("seq_dim", [-2, -3])
@pytest.mark.parametrize("threads", [1, 3])
def test_pieces_and_threads_change_nothing(monkeypatch, interleaved, seq_dim, threads):
    x = randn(2, 7, 7, 8, dtype=torch.bfloat16)  # 588 numbers are turned, 84 at each position
    tables = table(torch.arange(14).reshape(2, 7), 6)

    def result():
        return apply_rotary(x, *tables, interleaved=interleaved, seq_dim=seq_dim)

    shares, turn_share = [], PIECES["_turn_share"]
    monkeypatch.setitem(
        PIECES, "_turn_share", lambda share: shares.append(share) or turn_share(share)
    )
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    turned_in_pieces(monkeypatch, 600)
    whole = result()
    for size, sizes in (
        (587, {294}),  # a sequence each
        (100, {84, 42}),  # the positions of a sequence, two at a time
        (42, {42}),
        (41, {36, 6}),
        (5, {6}),  # not one row fits
    ):
        shares.clear()
        turned_in_pieces(monkeypatch, size)
        assert torch.equal(result(), whole)
        assert {written.numel() for share in shares for written, *_ in share} == sizes
        assert {len(share) for share in shares} <= {1, 2}
        assert sum(written.numel() for share in shares for written, *_ in share) == 588


@LAYOUTS
def test_threads_hand_on_what_went_wrong(monkeypatch, interleaved):
    def fail(share):
        raise MemoryError("no room")

    turned_in_pieces(monkeypatch, 8)
    monkeypatch.setitem(PIECES, "_turn_share", fail)
    with pytest.raises(MemoryError, match="no room"):
        apply_rotary(randn(5, 8).bfloat16(), *table(5, 8), interleaved=interleaved)


@LAYOUTS
@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad, torch.enable_grad])
def test_threads_keep_the_mode(monkeypatch, interleaved, mode):
    turned_in_pieces(monkeypatch, 8)
    weights = randn(5, 8).bfloat16().requires_grad_()
    with mode():
        result = apply_rotary(weights, *table(5, 8), interleaved=interleaved)
    assert result.is_inference() == (mode is torch.inference_mode)
    assert result.requires_grad == (mode is torch.enable_grad)
    expected = exact(weights.detach(), *table(5, 8), interleaved).bfloat16()
    assert torch.equal(result.detach(), expected)


class Counter(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.written = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.aten._foreach_copy_.default:
            self.written += sum(tensor.numel() for tensor in args[0])
        return function(*args, **(kwargs or {}))


def test_what_watches_operations_sees_all_of_them(monkeypatch):
    turned_in_pieces(monkeypatch, 8)
    x = randn(6, 5, 8).bfloat16()
    with Counter() as counter:
        apply_rotary(x, *table(5, 8))
    assert counter.written == 2 * x.numel()  # into the copies, and into the result


class TestOut:
    @LAYOUTS
    @pytest.mark.parametrize("size", [None, 16])
    def test_is_written_and_returned(self, monkeypatch, interleaved, size):
        turned_in_pieces(monkeypatch, size)
        x, tables = randn(2, 5, 8), table(5, 6)
        expected = apply_rotary(x, *tables, interleaved=interleaved)
        out = torch.full_like(x, math.nan)
        assert apply_rotary(x, *tables, interleaved=interleaved, out=out) is out
        assert torch.equal(out, expected)
        assert not torch.equal(x, expected)
        assert apply_rotary(x, *tables, interleaved=interleaved, out=x) is x
        assert torch.equal(x, expected)

    @pytest.mark.parametrize("size", [None, 16])
    def test_may_lie_on_x_in_any_way(self, monkeypatch, size):
        turned_in_pieces(monkeypatch, size)
        memory, tables = randn(60), table(5, 8)
        for view in (memory[8:48].view(5, 8), memory[:40].view(8, 5).T):
            now = memory.clone()
            x = now[:40].view(5, 8)
            expected = apply_rotary(x.clone(), *tables)
            out = now.as_strided(view.shape, view.stride(), view.storage_offset())
            apply_rotary(x, *tables, out=out)
            assert torch.equal(out, expected)

    def test_stays_as_it_was_where_something_is_wrong(self):
        x, (cos, sin), out = randn(5, 8), table(5, 8), torch.zeros(5, 8, dtype=F64)
        for wrong in ((cos[:4], sin[:4]), (cos, sin[:, :3]), (cos, sin.float())):
            with pytest.raises((TypeError, ValueError)):
                apply_rotary(x, *wrong, out=out)
        elsewhere = torch.empty_like(out, device="meta")
        with pytest.raises(
            ValueError, match=r"^out: expected a tensor on x's device meta, got cpu$"
        ):
            apply_rotary(elsewhere, elsewhere[:, :4], elsewhere[:, :4], out=out)
        assert (out == 0).all()

    def test_of_a_parameter_is_refused_by_torch(self):
        x = randn(5, 8).requires_grad_()
        before = x.detach().clone()
        with pytest.raises(RuntimeError, match="leaf Variable"):
            apply_rotary(x, *table(5, 8), out=x)
        assert torch.equal(x.detach(), before)

    @LAYOUTS
    @pytest.mark.parametrize("size", [None, 16])
    def test_may_be_laid_out_in_any_way(self, monkeypatch, interleaved, size):
        turned_in_pieces(monkeypatch, size)
        x, tables = randn(2, 3, 5, 9), table(5, 8)
        expected = apply_rotary(x, *tables, interleaved=interleaved)
        for how, out in layouts_of(torch.zeros_like(x)):
            apply_rotary(x, *tables, interleaved=interleaved, out=out)
            torch.testing.assert_close(out, expected, rtol=0, atol=1e-15, msg=how)
        for how, same in [*layouts_of(x)]:
            apply_rotary(same, *tables, interleaved=interleaved, out=same)
            torch.testing.assert_close(same, expected, rtol=0, atol=1e-15, msg=how)

    @LAYOUTS
    @pytest.mark.parametrize("size", [None, 16])
    def test_may_lie_on_a_table(self, monkeypatch, interleaved, size):
        turned_in_pieces(monkeypatch, size)
        x, (cos, sin) = randn(5, 8), table(5, 8)
        memory = torch.stack((cos, sin))  # (2, 5, 4): as many numbers as x has
        expected = apply_rotary(x, cos, sin, interleaved=interleaved)
        apply_rotary(x, *memory, interleaved=interleaved, out=memory.view(5, 8))
        assert torch.equal(memory.view(5, 8), expected)

    @pytest.mark.parametrize("size", [None, 16])
    def test_whose_numbers_share_memory_is_refused(self, monkeypatch, size):
        turned_in_pieces(monkeypatch, size)
        tables, memory = table(5, 8), randn(60)
        windows = memory.as_strided((5, 8), (4, 1))
        for out in (memory[:8].expand(5, 8), windows, memory.as_strided((5, 8), (1, 3))):
            before = memory.clone()
            with pytest.raises(
                ValueError, match=r"^out: expected a tensor whose numbers each have"
            ):
                apply_rotary(out, *tables, out=out)
            assert torch.equal(memory, before)
        crossed = memory.as_strided((2, 4), (3, 2))  # at 0, 2, 4, 6 and 3, 5, 7, 9
        expected = apply_rotary(crossed.clone(), *table(2, 4))
        assert torch.equal(apply_rotary(crossed, *table(2, 4), out=crossed), expected)

    def test_with_a_history_takes_part_in_it(self, monkeypatch):
        turned_in_pieces(monkeypatch, 16)
        weights, x = randn(5, 8).requires_grad_(), randn(5, 8, seed=1)
        apply_rotary(x, *table(5, 8), out=(out := 2 * weights))
        out.sum().backward()
        assert torch.equal(out.detach(), apply_rotary(x, *table(5, 8)))
        assert (weights.grad == 0).all()


def anywhere(memory, shape, draw):
    """A view of this shape at a place, with steps and in an order that are drawn."""
    order = draw.sample(range(len(shape)), len(shape))
    strides, step = [0] * len(shape), draw.choice([1, 1, 2])
    for axis in order:
        strides[axis] = step
        step *= shape[axis] + draw.choice([0, 0, 1])
    return memory.as_strided(shape, strides, draw.randrange(max(memory.numel() - step, 0) + 1))


def test_out_may_lie_anywhere():
    """x, cos, sin and out in one memory, each anywhere: 5,000 draws, all forms."""
    draw, memory = random.Random(0), randn(700)
    for _ in range(5000):
        dtype, interleaved = draw.choice(DTYPES), draw.random() < 0.5
        seq, pairs, rest = draw.randint(1, 6), draw.randint(1, 4), draw.choice([0, 0, 1, 3])
        shape = (draw.randint(1, 3), seq, 2 * pairs + rest)
        now = memory.to(dtype, copy=True)
        x, out = (anywhere(now, shape, draw) for _ in range(2))
        cos, sin = (anywhere(now, (seq, pairs), draw) for _ in range(2))
        out = x if draw.random() < 0.2 else out
        expected = exact(x, cos.double(), sin.double(), interleaved)
        with pytest.MonkeyPatch.context() as monkeypatch:
            turned_in_pieces(monkeypatch, draw.choice([None, 0, 16]))
            apply_rotary(x, cos, sin, interleaved=interleaved, out=out)
        bound = expected.abs().max() * max(torch.finfo(dtype).eps, 1e-6)
        assert (out.double() - expected).abs().max() <= bound


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, forward mode
class TestGradients:
    @LAYOUTS
    @pytest.mark.parametrize("size", [None, 16])
    def test_of_what_is_turned(self, monkeypatch, interleaved, size):
        turned_in_pieces(monkeypatch, size)
        x, (cos, sin) = randn(2, 3, 7).requires_grad_(), table(3, 6)

        def rotate(x):
            return apply_rotary(x, cos, sin, interleaved=interleaved)

        assert torch.autograd.gradcheck(rotate, x, check_batched_grad=True)
        assert torch.autograd.gradgradcheck(rotate, x)
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(x.detach(), direction := randn(2, 3, 7))
            tangent = torch.autograd.forward_ad.unpack_dual(rotate(dual)).tangent
        torch.testing.assert_close(tangent, rotate(direction))
        jacobian = torch.func.jacrev(rotate)(x.detach())
        torch.testing.assert_close(jacobian, torch.func.jacfwd(rotate)(x.detach()))
        functional = torch.func.functionalize(rotate)(x.detach())
        torch.testing.assert_close(functional, rotate(x.detach()))

    def test_of_half_precision_is_rounded_once(self, monkeypatch):
        turned_in_pieces(monkeypatch, 16)
        x, weights = (randn(2, 5, 8, seed=s).bfloat16() for s in (0, 1))
        cos, sin = table(5, 8)
        (apply_rotary(x.requires_grad_(), cos, sin) * weights).sum().backward()
        assert torch.equal(x.grad, exact(weights, cos, -sin, interleaved=False).bfloat16())

    def test_keep_no_more_than_the_tables(self):
        x, (cos, sin) = randn(400, 128).requires_grad_(), table(400, 128)
        kept = []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
            apply_rotary(x, cos, sin)
        assert sorted(tensor.data_ptr() for tensor in kept) == sorted(
            (cos.data_ptr(), sin.data_ptr())
        )


class Logged(torch.Tensor):
    """A tensor that sees every operation, as a DTensor does."""

    calls = 0

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        Logged.calls += 1
        return super().__torch_function__(function, types, args, kwargs or {})


@LAYOUTS
def test_a_tensor_of_a_kind_of_its_own_stays_one(monkeypatch, interleaved):
    turned_in_pieces(monkeypatch, 16)
    x, tables = randn(5, 8), table(5, 8)
    result = apply_rotary(x.as_subclass(Logged), *tables, interleaved=interleaved)
    assert isinstance(result, Logged)
    expected = apply_rotary(x, *tables, interleaved=interleaved)
    torch.testing.assert_close(result.as_subclass(torch.Tensor), expected, rtol=0, atol=1e-15)


def test_conjugated_turns_turn_back(monkeypatch):
    turned_in_pieces(monkeypatch, 16)
    x, turns = randn(5, 8), torch.complex(*table(5, 8))
    there = apply_rotary_complex(x, turns)
    torch.testing.assert_close(apply_rotary_complex(there, turns.conj()), x, rtol=0, atol=1e-14)
