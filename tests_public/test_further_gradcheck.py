"""Going further, part 6: a check that finds wrong gradients, and knows where it misleads. Worth no points."""

import importlib

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored


@pytest.fixture
def np(layers, gradcheck):
    """Return NumPy, imported only when a test of arrays runs. The gradients to check are those of layers.py."""
    return importlib.import_module("numpy")


def classifier(np):
    """Return parameters, inputs and labels: 8 examples, 3 features, 4 hidden units, 2 classes."""
    draw = np.random.RandomState(0)
    x, y = draw.randn(8, 3), draw.randint(0, 2, size=8)
    w1, w2 = 0.5 * draw.randn(3, 4), 0.5 * draw.randn(4, 2)
    return {"W1": w1, "b1": np.zeros(4), "W2": w2, "b2": np.zeros(2)}, x, y


def regression(np):
    """Return parameters, inputs and targets: 16 examples, 4 features, 8 hidden units, 1 output."""
    draw = np.random.default_rng(0)
    x, y = draw.standard_normal((16, 4)), draw.standard_normal((16, 1))
    w1, w2 = draw.standard_normal((4, 8)) * 0.5, draw.standard_normal((8, 1)) * 0.5
    return {"W1": w1, "b1": np.zeros(8), "W2": w2, "b2": np.zeros(1)}, x, y


def one_unit(np, before):
    """Return parameters and data of a network of one hidden unit, the input of whose relu is `before`."""
    parameters = {"W1": np.array([[1.0]]), "b1": np.array([before]), "W2": np.array([[1.0]]), "b2": np.array([0.0])}
    return parameters, np.array([[0.0]]), np.array([[1.0]])


@pytest.mark.task(id="6.1")
@pytest.mark.hint("(f(x + eps) - f(x - eps)) / (2 · eps).")
def test_central_difference(np, gradcheck):
    """The central difference of a smooth function"""
    slope = gradcheck.central_difference(gradcheck.cube, 2.0)
    assert slope == approx(12.0, rel=1e-9)  # 3x²; the error is eps²


@pytest.mark.task(id="6.1")
@pytest.mark.hint("Between the smallest and the largest useful eps lies a window: 1e-5 is in it, 1e-15 is not.")
def test_too_small_a_step(np, gradcheck):
    """With a step of 1e-15 rounding eats the answer"""
    slope = gradcheck.central_difference(gradcheck.cube, 1.0, 1e-15)
    assert abs(slope - 3.0) > 0.1  # the true slope is 3: wrong in the first decimal place


@pytest.mark.task(id="6.1")
@pytest.mark.hint("One entry at a time: nudge it up, then down, then put it back.")
def test_numerical_gradient(np, gradcheck):
    """The numerical gradient of the sum of cubes, entry by entry"""
    x = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, -1.0]])
    gradient = gradcheck.numerical_gradient(gradcheck.sum_of_cubes, x)
    assert gradient == approx(3 * x**2, rel=1e-8, abs=1e-8)


@pytest.mark.task(id="6.2")
@pytest.mark.hint("|a - b| divided by |a| + |b|, and by 1e-8 where that is less.")
def test_relative_error(np, gradcheck):
    """The relative error lies between 0 and 1, and two zeros agree"""
    a, b = np.array([1.0, 3.0, 0.0, 0.0, -2.0]), np.array([1.0, 1.0, 5.0, 0.0, 2.0])
    assert gradcheck.relative_error(a, b) == approx(np.array([0.0, 0.5, 1.0, 0.0, 1.0]))


@pytest.mark.task(id="6.3")
@pytest.mark.hint("Below 1e-6 they agree, above 1e-2 there is a bug, and in between one varies eps.")
@pytest.mark.parametrize(
    ("error", "verdict"),
    [(4.5e-10, "agree"), (9e-7, "agree"), (2e-6, "vary eps"), (9e-3, "vary eps"), (2e-2, "bug"), (1.0, "bug")],
    ids=["4.5e-10", "9e-7", "2e-6", "9e-3", "2e-2", "1"],
)
def test_verdict(np, gradcheck, error, verdict):
    """The working rule for relative errors"""
    assert gradcheck.verdict(error) == verdict


@pytest.mark.task(id="6.4")
@pytest.mark.hint("Three excuses, in this order: too few digits, a tiny gap, two different slopes.")
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (("float32", 1e-2, 1.0, 1.0), "float32"),
        (("float64", 3e-9, 1e-9, 4e-9), "near zero"),
        (("float64", 0.5, 0.0, 1.0), "kink"),
        (("float64", 0.5, -1.0, 1.0), "kink"),
        (("float64", 0.5, 1.0, 1.00002), ""),
    ],
    ids=["too few digits", "both near zero", "relu", "absolute value", "no excuse"],
)
def test_advice(np, gradcheck, entry, expected):
    """Why a large relative error may mislead: dtype, gap, slope to the left, slope to the right"""
    assert gradcheck.advice(*entry) == expected


@pytest.mark.task(id="6.5")
@pytest.mark.hint("If layers.py is right the errors are near 1e-10. Is every entry put back after it was nudged?")
def test_check_of_the_classifier(np, layers, gradcheck):
    """The gradients of the two-layer classifier agree with the differences"""
    reports = gradcheck.check(layers.two_layers, *classifier(np))
    assert {name: report["verdict"] for name, report in reports.items()} == dict.fromkeys(
        ("W1", "b1", "W2", "b2"), "agree"
    )
    assert max(report["error"] for report in reports.values()) < 1e-8


@pytest.mark.task(id="6.5")
@pytest.mark.hint("Whatever follows the parameters is handed on to the function: data, loss and gate.")
def test_check_of_the_regression(np, layers, gradcheck):
    """The worst relative error of the regression is near 4.5e-10"""
    reports = gradcheck.check(layers.two_layers, *regression(np), layers.mean_squared_error)
    assert max(report["error"] for report in reports.values()) < 1e-8


@pytest.mark.task(id="6.5")
@pytest.mark.hint("A check that was never seen to fail proves nothing.")
def test_missing_gate_is_found(np, layers, gradcheck):
    """Without the gate of relu the relative error is 1, in the first layer only"""
    reports = gradcheck.check(layers.two_layers, *regression(np), layers.mean_squared_error, layers.open_gate)
    errors = {name: report["error"] for name, report in reports.items()}
    assert errors["W1"] == approx(1.0)
    assert errors["b1"] == approx(1.0)
    assert reports["W1"]["verdict"] == "bug"
    assert max(errors["W2"], errors["b2"]) < 1e-8


@pytest.mark.task(id="6.5")
@pytest.mark.hint("The index is that of the entry with the largest error, the gap its absolute error.")
def test_report_names_the_worst_entry(np, layers, gradcheck):
    """The report says where the error is, and how large in absolute terms"""
    reports = gradcheck.check(layers.two_layers, *one_unit(np, -0.5), layers.mean_squared_error, layers.open_gate)
    assert tuple(reports["b1"]["index"]) == (0,)
    assert reports["b1"]["gap"] == approx(2.0)  # 2 (0 - 1) passes the open gate, and the slope is 0
    assert reports["b1"]["advice"] == ""


@pytest.mark.task(id="6.5")
@pytest.mark.hint("In float32, f(x + eps) and f(x - eps) can be the same number: say so in the advice.")
def test_single_precision_misleads(np, layers, gradcheck):
    """In float32 with eps = 1e-6 a right gradient looks wrong, and the report says why"""
    reports = gradcheck.check(layers.two_layers, *classifier(np), eps=1e-6, dtype="float32")
    assert reports["W1"]["error"] == approx(1.0)
    assert "float64" in reports["W1"]["advice"]


@pytest.mark.task(id="6.5")
@pytest.mark.hint("At a kink the slope to the left is another than the slope to the right: compare them.")
def test_kink_misleads(np, layers, gradcheck):
    """Where eps reaches over the kink of relu, the report says so"""
    reports = gradcheck.check(layers.two_layers, *one_unit(np, 1e-7), layers.mean_squared_error)
    assert reports["b1"]["verdict"] == "bug"
    assert "kink" in reports["b1"]["advice"]
