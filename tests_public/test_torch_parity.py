"""Parity with torch.autograd: one expression, two engines, float64 in both. Worth no points, and never graded.

It runs where PyTorch is: `pip install torch`, then `pytest tests_public/test_torch_parity.py`. Each expression is
written once and given Values first and tensors then. A table of the largest differences stands at the end.
"""

import itertools
import math
import random

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored

CLOSE = {"rel": 1e-12, "abs": 1e-14}  # float64 has 16 digits; the order of operations costs the last few
XS = [[i / 6 - 1] for i in range(13)]
SINE = [[math.sin(math.pi * x)] for (x,) in XS]


@pytest.fixture(scope="module")
def torch():
    """Return PyTorch, or skip: no points hang on it."""
    return pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")


@pytest.fixture(scope="module")
def table(request):
    """Collect the largest difference of each expression, and print them all at the end."""
    rows = {}
    yield rows
    plugins = request.config.pluginmanager
    if rows:
        lines = [f"  {name:60} {difference:8.1e}" for name, difference in rows.items()]
        with plugins.getplugin("capturemanager").global_and_fixture_disabled():
            head = "\n\nlargest difference from torch.autograd, over the value and all gradients\n"
            plugins.getplugin("terminalreporter").write_line(head + "\n".join(lines))


@pytest.fixture
def agree(engine, torch, table, request):
    """Return a function that runs one expression through both engines, and compares value and gradients."""

    def run(expression, *numbers):
        ours = [engine.Value(number) for number in numbers]
        theirs = [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in numbers]
        y, expected = expression(*ours), expression(*theirs)
        y.backward()
        expected.backward()
        found = [y.data, *(leaf.grad for leaf in ours)]
        wanted = [expected.item(), *(0.0 if leaf.grad is None else leaf.grad.item() for leaf in theirs)]
        differences = [abs(a - b) for a, b in zip(found, wanted, strict=True) if math.isfinite(b)]
        table[request.node.name.removeprefix("test_").replace("_", " ")] = max(differences, default=0.0)
        assert found == approx(wanted, nan_ok=True, **CLOSE)

    return run


def plus(a, b):
    return a + b


def minus(a, b):
    return a - b


def times(a, b):
    return a * b


def divided(a, b):
    return a / b


def numbers_on_the_right(a, b):
    return ((a + 2) * 3 - 4) / 5 + b


def numbers_on_the_left(a, b):
    return 2 + 3 * a - (4 - b) + 5 / a


def square(a, b):
    return a**2 + b**3


def root(a, b):
    return a**0.5 / b**-2


def negation(a, b):
    return -a * -b


def hyperbolic_tangent(a, b):
    return (a * b).tanh() + a.tanh()


def exponential(a, b):
    return (a * b).exp() + a.exp()


def rectifier(a, b):
    return (a * b).relu() + a.relu() + (-a).relu()


@pytest.mark.parametrize(
    "expression",
    [
        *(plus, minus, times, divided, numbers_on_the_right, numbers_on_the_left, square, root, negation),
        *(hyperbolic_tangent, exponential, rectifier),
    ],
)
def test_operators(agree, expression):
    agree(expression, 1.7, -0.6)


def logarithm(a):
    return a.log() * a


def square_root(a):
    return a.sqrt() * a


def absolute_value(a):
    return abs(a - 3) * a


def sigmoid(a):
    return (a - 3).sigmoid() * a


@pytest.mark.task(id="3.1")
@pytest.mark.parametrize("expression", [logarithm, square_root, absolute_value, sigmoid])
def test_optional_operators(agree, expression):
    agree(expression, 2.3)


@pytest.mark.task(id="3.4")
def test_detach(agree):
    agree(lambda a: (a * a).detach() * a + a, 3.0)


def neuron(x1, x2, w1, w2, b):
    return (w1 * x1 + w2 * x2 + b).tanh()


def squared_error(w, b, x, t):
    return ((w * x + b).tanh() - t) ** 2 * 0.5


def tangled(a, b, c):
    d = a * b + c
    e = (d + a).tanh()
    return e * d + b


def every_operator(a, b, c):
    z = (a * b + b.exp()) * (a + c)
    z = z.tanh() + (a * a * c).relu()
    return z + (b / (c + 2.0)) ** 2


def reused(a):
    return a * a + a


@pytest.mark.parametrize(
    ("expression", "numbers"),
    [
        (neuron, (1.5, -2.0, 0.6, 0.4, 0.1)),
        (lambda x, w, b: (x * w + b).tanh(), (2.0, -3.0, 1.0)),
        (squared_error, (0.8, -0.3, 1.5, 0.2)),
        (tangled, (0.7, -1.3, 2.0)),
        (every_operator, (0.5, -1.2, 0.9)),
        (reused, (3.0,)),
        (lambda w: (w * w) * 3.0, (2.0,)),
    ],
    ids=["neuron", "saturated", "squared error", "tangled", "every operator", "a*a + a", "3*w*w"],
)
def test_expressions_of_the_readings(agree, expression, numbers):
    agree(expression, *numbers)


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        (lambda a: a.relu(), 0.0),
        (abs, 0.0),
        (lambda a: a.sqrt(), 0.0),
        (lambda a: a.sqrt(), 1.0),
    ],
    ids=["relu at 0", "abs at 0", "sqrt at 0", "sqrt at 1"],
)
def test_kinks_and_infinities(agree, expression, number):
    agree(expression, number)


def test_where_trap(engine, torch):
    a, x = engine.Value(0.0), torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    engine.where(False, a.sqrt(), engine.Value(0.0)).backward()
    torch.where(x > 0, x.sqrt(), torch.zeros_like(x)).backward()
    assert math.isnan(a.grad)
    assert math.isnan(x.grad.item())


STEPS = (  # of a random program: two earlier values and a number make the next one
    lambda x, y, number: x + y * number,
    lambda x, y, number: x - y,
    lambda x, y, number: (x * y).tanh(),
    lambda x, y, number: x / (y * y + 1),
    lambda x, y, number: (x * 0.1).exp() - 1,
    lambda x, y, number: (x + number).relu() + y,
    lambda x, y, number: number - (x * 0.5) ** 2,
)


def random_program(draw, length):
    """Return a random straight-line program of two inputs that uses computed values again."""
    steps = [(draw.choice(STEPS), draw.random(), draw.random(), draw.uniform(-2, 2)) for _ in range(length)]

    def program(a, b):
        values = [a, b]
        for step, left, right, number in steps:
            values.append(step(values[int(left * len(values))], values[int(right * len(values))], number))
        return sum(values[2:], values[0]).tanh() + values[-1] * 0.01

    return program


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(agree, seed):
    draw = random.Random(seed)
    program = random_program(draw, 25)
    agree(program, draw.uniform(-2, 2), draw.uniform(-2, 2))


def torch_network(torch, sizes, numbers):
    """Return tensors with the parameters of an MLP, and a function that computes its squared error."""
    numbers = iter(numbers)
    layers = []
    for inputs, outputs in itertools.pairwise(sizes):
        rows = [[next(numbers) for _ in range(inputs + 1)] for _ in range(outputs)]
        layers.append(torch.tensor(rows, dtype=torch.float64, requires_grad=True))

    def loss(inputs, targets):
        x = torch.tensor(inputs, dtype=torch.float64)
        for position, layer in enumerate(layers):
            x = x @ layer[:, :-1].T + layer[:, -1]
            x = x if position == len(layers) - 1 else x.tanh()
        return ((x - torch.tensor(targets, dtype=torch.float64)) ** 2).sum() / len(inputs)

    return layers, loss


@pytest.mark.task(id="4.1")
def test_two_layer_network(nn, torch, table):
    """Every gradient of a network of two layers"""
    model = nn.MLP([1, 16, 1], seed=0)
    layers, loss = torch_network(torch, [1, 16, 1], [parameter.data for parameter in model.parameters()])
    ours, theirs = nn.squared_error(model, XS, SINE), loss(XS, SINE)
    ours.backward()
    theirs.backward()
    found = [ours.data, *(parameter.grad for parameter in model.parameters())]
    wanted = [theirs.item(), *(entry for layer in layers for entry in layer.grad.flatten().tolist())]
    table["two-layer network, 49 parameters"] = max(abs(a - b) for a, b in zip(found, wanted, strict=True))
    assert found == approx(wanted, **CLOSE)


def test_gradcheck(engine, torch):
    """torch.autograd.gradcheck accepts this engine's gradients"""

    class Ours(torch.autograd.Function):
        @staticmethod
        def forward(context, a, b, c):
            leaves = [engine.Value(tensor.item()) for tensor in (a, b, c)]
            y = tangled(*leaves) + every_operator(*leaves)
            y.backward()
            context.gradients = [leaf.grad for leaf in leaves]
            return torch.tensor(y.data, dtype=torch.float64)

        @staticmethod
        def backward(context, upstream):
            return tuple(upstream * gradient for gradient in context.gradients)

    inputs = [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (0.5, -1.2, 0.9)]
    assert torch.autograd.gradcheck(Ours.apply, inputs, eps=1e-6, atol=1e-4)


@pytest.mark.task(id="7.2")
def test_higher_derivatives(higher_order, torch):
    """The first three derivatives of tanh"""
    y = x = higher_order.Value(0.5)
    v = u = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    y, v = y.tanh(), v.tanh()
    for _ in range(3):
        (y,) = higher_order.grad(y, [x])
        (v,) = torch.autograd.grad(v, u, create_graph=True)
        assert y.data == approx(v.item(), **CLOSE)


@pytest.mark.task(id="7.2")
def test_second_derivative_of_a_cube(higher_order, torch):
    a = higher_order.Value(3.0)
    (first,) = higher_order.grad(a * a * a, [a])
    (second,) = higher_order.grad(first, [a])
    x = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(x * x * x, x, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, x)
    assert second.data == approx(curvature.item(), **CLOSE)  # 6a


@pytest.mark.task(id="7.3")
def test_hessian(higher_order, torch):
    x, y = higher_order.Value(1.3), higher_order.Value(-0.7)
    rows = higher_order.hessian(x**2 * y + y**3, [x, y])
    point = torch.tensor([1.3, -0.7], dtype=torch.float64)
    expected = torch.autograd.functional.hessian(lambda v: v[0] ** 2 * v[1] + v[1] ** 3, point)
    assert [entry for row in rows for entry in row] == approx(expected.flatten().tolist(), **CLOSE)


@pytest.mark.task(id="7.4")
def test_hessian_vector_product(higher_order, torch):
    x, y = higher_order.Value(1.3), higher_order.Value(-0.7)
    product = higher_order.hessian_vector_product(x**2 * y + y**3, [x, y], [2.0, -1.0])
    point, vector = (torch.tensor(pair, dtype=torch.float64) for pair in ([1.3, -0.7], [2.0, -1.0]))
    _, expected = torch.autograd.functional.hvp(lambda v: v[0] ** 2 * v[1] + v[1] ** 3, point, vector)
    assert product == approx(expected.tolist(), **CLOSE)
