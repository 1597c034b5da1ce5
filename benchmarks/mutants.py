"""Small changes to a file: another operator, comparison or constant, a statement left out."""

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def mutants(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Every change that is made to a file: what and where, and the changed file."""
    nodes = list(ast.walk(tree))
    checks = {id(k.value) for k in nodes if isinstance(k, ast.keyword) and k.arg == "strict"}
    for index, node in enumerate(nodes):
        if id(node) in checks:  # zip's strict=True is itself a check
            continue
        for number in range(len(changes(node))):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[index]
            what, change = changes(target)[number]
            change()
            yield f"{getattr(node, 'lineno', 0)}: {what}", changed


def changes(node: ast.AST) -> list[tuple[str, Callable[[], None]]]:
    """What can be changed about one node, in words and as a function that does it."""
    found = []
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST) and type(value) in OPERATORS:
            new = OPERATORS[type(value)]()
            found.append((f"{words(value)} -> {words(new)}", setter(node, field, new)))
        elif field == "ops":
            for position, operator in enumerate(value):
                new = OPERATORS[type(operator)]()
                found.append((f"{words(operator)} -> {words(new)}", setter(value, position, new)))
        elif field in ("body", "orelse") and isinstance(value, list):
            for position, statement in enumerate(value):
                if removable(statement):
                    what = f"without `{ast.unparse(statement).splitlines()[0]}`"
                    found.append((what, setter(value, position, ast.Pass())))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        new = not node.value if isinstance(node.value, bool) else node.value + 1
        found.append((f"{node.value} -> {new}", setter(node, "value", new)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found.append(("- left out", setter(node, "op", ast.UAdd())))
    return found


def setter(holder: Any, place: Any, value: object) -> Callable[[], None]:
    if isinstance(holder, list):
        return lambda: holder.__setitem__(place, value)
    return lambda: setattr(holder, place, value)


def removable(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):  # a docstring or `...` does nothing
        return not isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Raise | ast.If | ast.AugAssign)


def words(operator: ast.AST) -> str:
    return type(operator).__name__
