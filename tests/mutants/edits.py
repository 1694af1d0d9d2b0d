"""The small changes: comparisons, numbers, conditions, results and statements of a module's functions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}

#: What only accounts for what happened: the rules cited, the notes shown, sums for the reader.
ACCOUNTS = ("cite", "Note", "round", "option")

#: Parts of a statement that are no part of what it does.
SIGNATURE = ("decorator_list", "returns", "annotation", "type_params", "target", "targets")

#: Numbers smaller than this are tolerances of the geometry.
TOLERANCE = 0.2


class Edit(NamedTuple):
    """One change: what stands at `field` (and `place`) of `parent` becomes `new`."""

    owner: str  # the outermost function by its qualified name, or "NAME =" of a module's constant
    kind: str
    line: int
    last: int
    before: str
    after: str
    number: int  # among the like of one owner, from 1
    parent: ast.AST
    field: str
    place: int | None
    new: ast.AST | None

    @property
    def key(self) -> str:
        """A name that outlives changes elsewhere in the module."""
        again = f" #{self.number}" if self.number > 1 else ""
        return f"{self.owner}: {self.before} -> {self.after}{again}"


def edits(tree: ast.Module) -> list[Edit]:
    """Every change of a module, in the order of its lines."""
    found: list[Edit] = []
    told: Counter[str] = Counter()
    for owner, root in owners(tree):
        for parent, field, index, child in _places(root):
            for kind, new, text in _changes(child, field, parent):
                before = _text(child)
                after = _text(new) if text is None else text
                if before == after:
                    continue
                told[f"{owner}: {before} -> {after}"] += 1
                number = told[f"{owner}: {before} -> {after}"]
                line, last = _span(child, root)
                found.append(Edit(owner, kind, line, last, before, after, number, parent, field, index, new))
    return sorted(found, key=lambda edit: (edit.line, edit.key))


def _span(node: ast.AST, root: ast.stmt) -> tuple[int, int]:
    """The lines whose running may show the change; of a block only its head."""
    if isinstance(node, ast.comprehension):
        return node.target.lineno, (node.ifs or [node.iter])[-1].end_lineno or node.target.lineno
    if isinstance(node, ast.If):
        return node.lineno, node.test.end_lineno or node.lineno
    if isinstance(node, ast.expr | ast.stmt):
        return node.lineno, node.end_lineno or node.lineno
    return root.lineno, root.lineno


def owners(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Outermost functions, methods by the names of their classes, and constants of the module."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _methods(node, node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and len(node.targets) == 1:
            yield f"{node.targets[0].id} =", node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield f"{node.target.id} =", node


def _methods(node: ast.ClassDef, name: str) -> Iterator[tuple[str, ast.stmt]]:
    for inner in node.body:
        if isinstance(inner, Function):
            yield f"{name}.{inner.name}", inner
        elif isinstance(inner, ast.ClassDef):
            yield from _methods(inner, f"{name}.{inner.name}")


def _places(root: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every node below a function with where it stands; not its signature, annotations, accounts and words."""
    for field, value in ast.iter_fields(root):
        if field in SIGNATURE or (field == "args" and isinstance(root, Function | ast.Lambda)):
            continue
        nodes = value if isinstance(value, list) else [value]
        for index, child in enumerate(nodes):
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert | ast.expr_context):
                continue
            if _accounts(child):
                continue
            yield root, field, index if isinstance(value, list) else None, child
            yield from _places(child)


def _accounts(node: ast.AST) -> bool:
    """Whether something only accounts for what happens: a rule cited, or cited under a condition."""
    if isinstance(node, ast.If):
        return not node.orelse and all(map(_accounts, node.body))
    if isinstance(node, ast.For):
        return all(map(_accounts, node.body))
    called = node.value if isinstance(node, ast.Expr) else node
    return isinstance(called, ast.Call) and _called(called) in ACCOUNTS


def _called(call: ast.Call) -> str:
    name = call.func
    return name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else ""


def _text(node: ast.AST | None) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"if {ast.unparse(node.test)}: …"
    if isinstance(node, ast.comprehension):
        return ast.unparse(node).strip()
    text = "" if node is None else ast.unparse(node)
    return " ".join(text.split())


# ---------------------------------------------------------------------- what may become of a node


def _changes(node: ast.AST, field: str, parent: ast.AST) -> Iterator[tuple[str, ast.AST | None, str | None]]:
    """The kinds of change of a node, what it becomes, and how that reads where it is not the node itself."""
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.Constant):
        yield from _constant(node, parent, field)
    elif isinstance(node, ast.BoolOp):
        yield from _joined(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negation", node.operand, None
    elif isinstance(node, ast.BinOp) and type(node.op) in RECKONED and not _words(node):
        op = RECKONED[type(node.op)]()
        yield "reckoning", ast.BinOp(node.left, op, node.right), None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SWAPPED:
        name = ast.Name(SWAPPED[node.func.id], ast.Load())
        yield "swap", ast.Call(name, node.args, node.keywords), None
    elif isinstance(node, ast.IfExp) and not _turned(node.test):
        yield "choice", ast.IfExp(_not(node.test), node.body, node.orelse), None
    elif isinstance(node, ast.comprehension):
        for number, condition in enumerate(node.ifs):
            rest = [other for place, other in enumerate(node.ifs) if place != number]
            fewer = ast.comprehension(node.target, node.iter, rest, node.is_async)
            yield "condition dropped", fewer, f"{ast.unparse(fewer).strip()} (without {ast.unparse(condition)})"
    elif isinstance(node, ast.stmt):
        yield from _statement(node)


def _compared(node: ast.Compare) -> Iterator[tuple[str, ast.AST, None]]:
    for number, op in enumerate(node.ops):
        ops = [*node.ops[:number], COMPARED[type(op)](), *node.ops[number + 1 :]]
        yield "comparison", ast.Compare(node.left, ops, node.comparators), None


def _constant(node: ast.Constant, parent: ast.AST, field: str) -> Iterator[tuple[str, ast.AST, None]]:
    value = node.value
    if isinstance(value, bool):
        yield "truth", ast.Constant(not value), None
    elif isinstance(value, int | float) and abs(value) < TOLERANCE and value != 0:
        return
    elif isinstance(value, int | float):
        yield "number", ast.Constant(value + 1), None
        if value != 0 or field != "slice":
            yield "number", ast.Constant(value - 1), None


def _joined(node: ast.BoolOp) -> Iterator[tuple[str, ast.AST, None]]:
    other: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "and/or", ast.BoolOp(other, node.values), None
    for number in range(len(node.values)):
        rest = [value for place, value in enumerate(node.values) if place != number]
        yield "condition dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest), None


def _turned(test: ast.expr) -> bool:
    """Whether a change of the condition itself already turns it into its contrary."""
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and not isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _words(node: ast.BinOp) -> bool:
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))


def _not(test: ast.expr) -> ast.expr:
    return (
        test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)
    )


def _statement(node: ast.stmt) -> Iterator[tuple[str, ast.AST, str | None]]:
    nothing = ast.Pass()
    if isinstance(node, ast.If) and not _turned(node.test):
        changed = ast.If(_not(node.test), node.body, node.orelse)
        yield "branch", changed, f"if {ast.unparse(changed.test)}: …"
    elif isinstance(node, ast.Return) and node.value is not None:
        if not isinstance(node.value, ast.Constant):
            yield "result", ast.Return(ast.Constant(None)), "return None"
    elif isinstance(node, ast.Continue):
        yield "loop", ast.Break(), "break"
    elif isinstance(node, ast.Break):
        yield "loop", ast.Continue(), "continue"
    elif _does(node):
        yield "statement dropped", nothing, "nothing"


def _does(node: ast.stmt) -> bool:
    """Whether a statement changes something and can be left out."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    return isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.YieldFrom)
    )
