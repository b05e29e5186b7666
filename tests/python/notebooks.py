"""Runs the notebooks and the Python of docs/python.md: every code cell in order, as Jupyter would, without Jupyter.

Without matplotlib, figures are drawn on Axes that keep what is drawn. Outputs are not stored: results are what a run
shows. FACTS are what the text says of the variables of a notebook."""

import importlib.util
import json
import pathlib
import re
import sys
import traceback

import paper

SOURCE = pathlib.Path(sys.argv[1])
if importlib.util.find_spec("matplotlib") is None:
    paper.stand_in()

FACTS = {
    "first-steps": [
        "len(motion.t) == 501 and motion.failure is None",
        "late < 1.1 * early",
        "all(abs(slopes['slope_q'] - 2) < 0.1)",
        "'verlet does not take pendulum' in message",
    ],
    "new-integrator": [
        "set(contract['verdict']) == {'passed'} and {'Jz', 'reversibility'} <= set(contract['check'])",
        "verdicts == {'triple_jump': 'as_claimed', 'mistyped': 'lower', 'verlet': 'as_claimed', 'rk4': 'as_claimed'}",
        "energy['triple_jump'][1] < 1.1 * energy['triple_jump'][0] and energy['rk4'][1] > 2 * energy['rk4'][0]",
    ],
    "own-mechanism": [
        "len(failed) == 0",
        "violation < 1e-13",
        "abs(order - 2) < 0.1",
        "set(mistakes['verdict']) == {'failed'} and any('G' in name for name in mistakes['check'])",
    ],
    "python": ["len(fall.t) == 101 and fall.failure is None"],
}


def notebook(path):
    """Returns the names and the sources of the code cells to run; fails where outputs are stored."""
    book = json.loads(path.read_text())
    assert book["nbformat"] == 4, f"{path.name} is no notebook of format 4"
    cells = [(i, cell) for i, cell in enumerate(book["cells"], 1) if cell["cell_type"] == "code"]
    for i, cell in cells:
        assert not cell["outputs"] and cell["execution_count"] is None, f"{path.name}, cell {i}: outputs are stored"
    return [(f"cell {i}", "".join(cell["source"])) for i, cell in cells]


def page(path):
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(), re.S)
    return [(f"block {i}", block) for i, block in enumerate(blocks, 1)]


def run(path, cells):
    """Returns whether the cells run and the facts hold."""
    names = {}
    assert cells, f"{path.name} has no code"
    for name, source in cells:
        try:
            exec(compile(source, f"{path.name}, {name}", "exec"), names)
        except Exception:
            print(f"FAIL: {path.name}, {name}:\n{source}\n{traceback.format_exc()}")
            return False
    wrong = [fact for fact in FACTS[path.stem] if not eval(fact, names)]
    for fact in wrong:
        print(f"FAIL: {path.name}: it is not so that {fact}")
    return not wrong


books = sorted((SOURCE / "python/notebooks").glob("*.ipynb"))
assert {path.stem for path in books} | {"python"} == set(FACTS), "a notebook without facts, or facts without a notebook"
results = [run(path, notebook(path)) for path in books] + [run(path := SOURCE / "docs/python.md", page(path))]
sys.exit(0 if all(results) else 1)
