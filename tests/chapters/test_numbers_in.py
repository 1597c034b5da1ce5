"""The reader of numbers, on texts whose numbers are known."""

import nbformat
import pytest

from tests.chapters.numbers_in import claims, numbers, significant_digits, unfounded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("about 6.283 positions", ["6.283"]),
        ("1,000 and 16,000,001", ["1000", "16000001"]),
        ("a list 1, 2, 345", ["1", "2", "345"]),
        (r"$62{,}832$ and $10\,000$", ["62832", "10000"]),
        ("16\u202f000\u202f001 rows", ["16000001"]),
        ("2.5e-4 and 1E6", ["2.5e-4", "1e6"]),
        (r"$1.25 \times 10^{-4}$ and $3.21\cdot 10^5$", ["1.25e-4", "3.21e5"]),
        ("1.25×10⁻⁴ and 2¹⁰", ["1.25e-4", "2", "10"]),
        (r"$\frac{1}{10000^{2i/128}}$", ["1", "10000", "2", "128"]),
        ("from -0.707 to −0.125", ["0.707", "0.125"]),
        ("a 64x128 map, 3×512", ["64", "128", "3", "512"]),
        ("12.5% and 99.9 %", ["12.5", "99.9"]),
        ("the value .125.", [".125"]),
        ("it ends with 512. Then 0.841.", ["512", "0.841"]),
        ("float64, d_512 and PE123 are names", []),
        ("512-dimensional, 128th, 100ms", ["512", "128", "100"]),
        ("100–200 and 300-400", ["100", "200", "300", "400"]),
        ("(0.841, 0.540)", ["0.841", "0.540"]),
        ("tensor([0.8415, 0.5403])", ["0.8415", "0.5403"]),
    ],
)
def test_numbers_of_a_text(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("number", "digits"),
    [("512", 3), ("1000", 1), ("1200", 2), ("0.025", 2), ("1.00", 3), ("0.50", 2), ("2.50e-4", 3)],
)
def test_significant_digits(number: str, digits: int) -> None:
    assert significant_digits(number) == digits


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("In 2017 Vaswani et al. (2017, arXiv:1706.03762, pp. 123–130) wrote it.", []),
        ("[a talk](https://example.org/123/456) at https://example.org/789", []),
        ("[twice (2)](https://example.org/a_(123)) and 456", ["456"]),
        ("<https://example.org/123> and issue #149534", []),
        ("[1]: https://example.org/12345", []),
        ("```python\nx = 12345\n```\nbut 54321", ["54321"]),
        ('<details><summary>Answer</summary><p style="width:640px">123</p></details>', ["123"]),
        ("torch 2.13.0 and Python 3.11.7", []),
        ("10000 has one digit, 12 has two and 2000 one", []),
        ("2048 tokens, 1912 words", ["2048", "1912"]),
        ("`0.8415` is a claim too", ["0.8415"]),
        ("f(0.123) = 4.56", ["0.123", "4.56"]),
        ("see figure (12.5)", ["12.5"]),
        (r"$$PE_{123} = 0.841$$", ["123", "0.841"]),
    ],
)
def test_claims_of_the_prose(prose: str, expected: list[str]) -> None:
    assert claims(prose) == expected


def notebook(prose: str, code: str = "", **output: str) -> nbformat.NotebookNode:
    cell = nbformat.v4.new_code_cell(code, id="code")
    if output:
        cell.outputs = [
            nbformat.v4.new_output("execute_result", {f"text/{k}": v for k, v in output.items()})
        ]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(prose, id="prose"), cell])


def test_a_claim_is_founded_by_an_output_or_by_code() -> None:
    assert unfounded(notebook("It is 6.283.", plain="tensor([6.2830])")) == []
    assert unfounded(notebook("It falls by 1,234.", plain="-1234")) == []
    assert unfounded(notebook("It is 0.00125.", plain="1.25e-03")) == []
    assert unfounded(notebook("With 512 columns.", code="table(rows=5, dim=512)")) == []
    assert unfounded(notebook("It is 6.283.", html="<p>6.283</p>")) == []


def test_a_claim_without_foundation_is_found() -> None:
    assert unfounded(notebook("It is 6.28.", plain="6.2832")) == ["prose: 6.28"]
    assert unfounded(notebook("It is 6.283.")) == ["prose: 6.283"]
    assert unfounded(notebook("It is 640 and 641.", html='<img width="641">')) == ["prose: 641"]
