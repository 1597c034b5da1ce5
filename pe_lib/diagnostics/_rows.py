"""What every diagnostic is given, in float64 on the CPU."""

from torch import Tensor

from pe_lib.common._checks import check_float_tensor


def float64_rows(table: Tensor) -> Tensor:
    rows = float64(table, "table", "(length, dim)")
    if rows.ndim != 2 or not rows.numel():
        raise ValueError(
            f"table: expected 2 axes (length, dim), none of them empty, "
            f"got shape {tuple(rows.shape)}"
        )
    return rows


def float64(value: Tensor, name: str, axes: str) -> Tensor:
    check_float_tensor(value, name, f" {axes}")
    return value.detach().cpu().double()
