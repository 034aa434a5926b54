"""Every number that the three readings print, reproduced by the solution. docs/readings.md maps one to the other.

The tolerance is half a unit of the last digit printed. Where only rounding is printed, such as an error of 4.5e-10, its
order of magnitude is held: it differs from one machine's matrix product to the next. What only PyTorch can print is in
test_printed_numbers_torch.py.
"""

import math
import tracemalloc

import engine
import gradcheck
import higher_order
import layers
import nn
import numpy as np
import pytest
from engine import Value
from pytest import approx

pytestmark = pytest.mark.slow


def printed(text, *, scale=0.5):
    """Return what a number printed as `text` stands for: the number, within half a unit of its last digit."""
    mantissa, _, exponent = text.partition("e")
    digits = len(mantissa.partition(".")[2])
    return approx(float(text), rel=0, abs=scale * 10.0 ** (int(exponent or 0) - digits) * 1.0001)


class TestAutodiffFromScratch:
    """The reading `Automatic differentiation from scratch`."""

    def test_x_plus_x_has_the_derivative_2(self):
        x = Value(1.7)
        (x + x).backward()
        assert x.grad == 2.0

    def test_saturated_neuron(self):
        x, w, b = Value(2.0), Value(-3.0), Value(1.0)
        y = (x * w + b).tanh()
        y.backward()
        assert y.data == approx(-0.9999092042625951, rel=1e-15)
        assert w.grad == approx(0.0003631664618877206, rel=1e-12)

    def test_loss_of_the_network(self, regression):
        parameters, x, y = regression
        loss, _ = layers.two_layers(parameters, x, y, layers.mean_squared_error)
        assert loss == printed("1.5287")

    def test_worst_error_of_the_gradient_check(self, regression):
        reports = gradcheck.check(layers.two_layers, *regression, layers.mean_squared_error)
        assert 4.5e-11 < max(report["error"] for report in reports.values()) < 4.5e-9

    def test_missing_mask_has_the_error_1(self, regression):
        reports = gradcheck.check(layers.two_layers, *regression, layers.mean_squared_error, layers.open_gate)
        assert max(report["error"] for report in reports.values()) == 1.0

    def test_training_of_the_network(self, regression):
        parameters, x, y = regression
        _, losses = layers.train(parameters, x, y, layers.mean_squared_error, steps=500, rate=0.05)
        assert losses[0] == printed("1.5287")
        assert losses[-1] == printed("0.073931")

    def test_single_precision_leaves_some_five_digits(self, regression):
        reports = gradcheck.check(layers.two_layers, *regression, layers.mean_squared_error, eps=1e-2, dtype="float32")
        assert 1e-6 < max(report["error"] for report in reports.values()) < 1e-1

    @pytest.mark.parametrize(("eps", "lowest", "highest"), [(1e-5, 0, 1e-9), (1e-15, 0.05, math.inf)])
    def test_window_of_useful_steps(self, eps, lowest, highest):
        error = abs(gradcheck.central_difference(gradcheck.cube, 1.0, eps) - 3.0)
        assert lowest <= error < highest

    def test_step_below_1e_8_throws_digits_away(self):
        errors = [abs(gradcheck.central_difference(math.exp, 1.0, eps) - math.e) for eps in (1e-5, 1e-10, 1e-13)]
        assert errors == sorted(errors)


class TestPrimer:
    """The reading `Primer — backpropagation, from the chain rule to torch.autograd`."""

    def test_chain_rule_by_hand(self):
        x = Value(0.7)
        a = (3 * x + 1) ** 2
        Value(math.sin(a.data), (a,), (math.cos(a.data),)).backward()  # sin, as an operation of one's own
        assert x.grad == printed("-18.2818541248")

    def test_chain_rule_by_differences(self):
        slope = gradcheck.central_difference(lambda x: math.sin((3 * x + 1) ** 2), 0.7, 1e-6)
        assert slope == approx(-18.2818541248, abs=5e-9)
        assert abs(slope - math.cos(3.1**2) * 2 * 3.1 * 3) < 4.25e-9  # 4.25e-10 there: rounding

    def test_single_neuron(self):
        w, b = Value(0.8), Value(-0.3)
        (((w * 1.5 + b).tanh() - 0.2) ** 2 * 0.5).backward()
        assert w.grad == printed("0.37709159")
        assert b.grad == printed("0.25139440")

    @pytest.mark.parametrize(
        ("name", "value", "difference"), [("w", "0.37709159", 1.13e-11), ("b", "0.25139440", 2.6e-11)]
    )
    def test_single_neuron_by_differences(self, name, value, difference):
        def loss(nudge):
            w, b = (0.8 + nudge, -0.3) if name == "w" else (0.8, -0.3 + nudge)
            return 0.5 * (math.tanh(w * 1.5 + b) - 0.2) ** 2

        y = math.tanh(0.8 * 1.5 - 0.3)
        exact = (y - 0.2) * (1 - y**2) * (1.5 if name == "w" else 1.0)
        slope = gradcheck.central_difference(loss, 0.0, 1e-6)
        assert slope == printed(value)
        assert abs(slope - exact) < 100 * difference  # rounding

    def test_reused_value(self):
        a = Value(3.0)
        y = a * a + a
        y.backward()
        assert (y.data, a.grad) == (12.0, 7.0)

    def test_expression_of_every_operator(self):
        a, b, c = Value(0.5), Value(-1.2), Value(0.9)
        z = ((a * b + b.exp()) * (a + c)).tanh() + (a * a * c).relu() + (b / (c + 2.0)) ** 2
        z.backward()
        assert z.data == printed("0.00070372")
        assert a.grad == printed("-0.76924760")
        assert b.grad == printed("0.66082650")
        assert c.grad == printed("-0.12014757")

    def test_fit_of_a_sine(self):
        xs = [[i / 6 - 1] for i in range(13)]
        losses = nn.fit(nn.MLP([1, 16, 1], seed=0), xs, [[math.sin(math.pi * x)] for (x,) in xs], 2000, 0.1)
        assert losses[0] == printed("0.3347")
        assert losses[-1] == printed("0.001701")

    def test_gradient_of_a_layer_is_an_outer_product(self):
        draw = np.random.default_rng(0)
        w, x, target = draw.normal(size=(3, 5)), draw.normal(size=5), draw.normal(size=3)
        delta = w @ x - target
        _, gradient, _ = layers.linear_backward(x[None], w.T, delta[None])
        assert np.array_equal(gradient.T, np.outer(delta, x))  # max abs diff 0.00e+00

    def test_gradients_accumulate(self):
        w = [Value(1.0), Value(2.0)]

        def after_a_backward_pass():
            (w[0] ** 2 + w[1] ** 2).backward()
            return [w[0].grad, w[1].grad]

        assert after_a_backward_pass() == [2.0, 4.0]
        assert after_a_backward_pass() == [4.0, 8.0]
        w[0].grad = w[1].grad = 0.0
        assert after_a_backward_pass() == [2.0, 4.0]

    def test_no_grad_records_nothing(self):
        w = Value(1.0)
        with engine.no_grad():
            y = w**2
        assert (y.data, y.parents) == (1.0, ())

    @pytest.mark.parametrize(("second", "slope"), [("w", 6.0), ("detached", 3.0)])
    def test_detach(self, second, slope):
        x = Value(3.0)
        (x * (x if second == "w" else x.detach())).backward()
        assert x.grad == slope

    def test_micro_batches_of_one_make_the_full_batch(self):
        draw = np.random.default_rng(0)
        inputs, targets = draw.normal(size=(4, 3)).tolist(), draw.normal(size=(4, 1)).tolist()
        neuron = nn.Neuron(3)
        nn.squared_error(neuron, inputs, targets).backward()
        full = [parameter.grad for parameter in neuron.parameters()]
        nn.accumulate(neuron, [([x], [t]) for x, t in zip(inputs, targets, strict=True)])
        assert [parameter.grad for parameter in neuron.parameters()] == approx(full, rel=1e-12)

    def test_clipping_to_the_norm_1(self):
        w = [Value(number) for number in np.random.default_rng(0).normal(size=10)]
        (1000.0 * sum([each**2 for each in w], Value(0.0))).backward()
        direction = [each.grad for each in w]
        before = nn.clip(w, 1.0)
        assert before == approx(2000 * math.sqrt(sum(each.data**2 for each in w)))
        assert math.sqrt(sum(each.grad**2 for each in w)) == printed("1.0000")
        assert [each.grad * before for each in w] == approx(direction)

    def test_a_plain_number_leaves_the_graph(self):
        x = Value(3.0)
        assert type(x.data * 2) is float
        assert (x * 2).parents != ()

    def test_hessian(self):
        x, y = higher_order.Value(1.3), higher_order.Value(-0.7)
        rows = higher_order.hessian(x**2 * y + y**3, [x, y])
        assert rows == [[printed("-1.4000"), printed("2.6000")], [printed("2.6000"), printed("-4.2000")]]

    def test_hessian_vector_product(self):
        x, y = higher_order.Value(1.3), higher_order.Value(-0.7)
        product = higher_order.hessian_vector_product(x**2 * y + y**3, [x, y], [2.0, -1.0])
        assert product == approx([-5.399999618530273, 9.399999618530273], rel=1e-7)  # printed in float32

    def test_hessian_vector_product_forms_no_hessian(self, monkeypatch):
        sweeps = []
        grad = higher_order.grad

        def counted(*given):
            sweeps.append(given)
            return grad(*given)

        monkeypatch.setattr(higher_order, "grad", counted)
        leaves = [higher_order.Value(number) for number in range(1, 21)]
        higher_order.hessian_vector_product(
            sum([each**3 for each in leaves], higher_order.Value(0)), leaves, [1.0] * 20
        )
        assert len(sweeps) == 2  # a Hessian of 20 rows needs 21

    def test_meta_gradients(self):
        full = higher_order.meta_gradient(0.5, 1.0, 0.0, 0.4, first_order=False)
        first = higher_order.meta_gradient(0.5, 1.0, 0.0, 0.4, first_order=True)
        assert full == printed("0.420000")
        assert first == printed("0.700000")  # and θ′ = 0.7000 itself, for b = 0
        assert full - first == printed("-0.280000")
        assert full / first == approx(0.6)  # 1 - α


class TestReading15:
    """The reading `1.5`, on this homework."""

    def test_loss_of_the_classifier(self, classifier):
        loss, gradients = layers.two_layers(*classifier)
        assert loss == printed("1.0065")
        assert [gradients[name].shape for name in ("W1", "b1", "W2", "b2")] == [(3, 4), (4,), (4, 2), (2,)]

    @pytest.mark.parametrize(
        ("name", "error"),
        [("W1", 4.32e-10), ("b1", 5.78e-10), ("W2", 7.99e-11), ("b2", 6.01e-12)],
        ids=str,
    )
    def test_relative_errors_of_the_classifier(self, classifier, name, error):
        report = gradcheck.check(layers.two_layers, *classifier)[name]
        assert error / 10 < report["error"] < error * 10

    @pytest.mark.parametrize(
        ("error", "verdict"), [(9.9e-7, "agree"), (1.1e-6, "vary eps"), (9.9e-3, "vary eps"), (1.1e-2, "bug")]
    )
    def test_working_rule(self, error, verdict):
        assert gradcheck.verdict(error) == verdict

    def test_single_precision_has_not_the_digits(self, classifier):
        report = gradcheck.check(layers.two_layers, *classifier, eps=1e-6, dtype="float32")["W1"]
        assert report["error"] == printed("1.00")
        assert gradcheck.check(layers.two_layers, *classifier, eps=1e-6)["W1"]["verdict"] == "agree"

    def test_neuron(self):
        x1, x2, w1, w2, b = (Value(number) for number in (1.5, -2.0, 0.6, 0.4, 0.1))
        y = (w1 * x1 + w2 * x2 + b).tanh()
        y.backward()
        assert y.data == printed("0.1974")
        assert w1.grad == printed("1.4416")
        assert w2.grad == printed("-1.9221")
        assert b.grad == printed("0.9610")
        assert x1.grad == printed("0.5766")

    def test_tangled_expression(self):
        a, b, c = Value(0.7), Value(-1.3), Value(2.0)
        d = a * b + c
        out = (d + a).tanh() * d + b
        out.backward()
        assert out.data == printed("-0.269121")
        assert a.grad == printed("-1.263999")
        assert b.grad == printed("1.742557")
        assert c.grad == printed("1.060796")

    @pytest.mark.parametrize(
        ("function", "slopes"),
        [(Value.relu, [0.0, 0.0, 1.0]), (abs, [-1.0, 0.0, 1.0])],
        ids=["relu", "abs"],
    )
    def test_kinks(self, function, slopes):
        leaves = [Value(number) for number in (-1.0, 0.0, 1.0)]
        sum([function(leaf) for leaf in leaves], Value(0.0)).backward()
        assert [leaf.grad for leaf in leaves] == slopes

    def test_square_root(self):
        leaves = [Value(0.0), Value(1.0)]
        sum([leaf.sqrt() for leaf in leaves], Value(0.0)).backward()
        assert [leaf.grad for leaf in leaves] == [math.inf, 0.5]

    def test_where_trap(self):
        zero, four = Value(0.0), Value(4.0)
        chosen = [engine.where(leaf.data > 0, leaf.sqrt(), Value(0.0)) for leaf in (zero, four)]
        sum(chosen, Value(0.0)).backward()
        assert [value.data for value in chosen] == [0.0, 2.0]
        assert math.isnan(zero.grad)
        assert four.grad == 0.25

    def test_mask_before_the_square_root(self):
        leaves = [Value(0.0), Value(4.0)]
        sum([engine.sqrt_or_zero(leaf) for leaf in leaves], Value(0.0)).backward()
        assert [leaf.grad for leaf in leaves] == [0.0, 0.25]

    def test_a_change_in_place_cannot_reach_a_partial(self):
        a = Value(1.0)
        b = a.exp()
        b.data += 1.0  # PyTorch refuses the backward pass; here the partial was computed before
        b.backward()
        assert a.grad == approx(math.e)

    @pytest.mark.parametrize(
        ("restarted", "gradient"), [("nothing", 20.0), ("all", 7.0), ("computed values", 14.0)], ids=["20", "7", "14"]
    )
    def test_three_ways_to_go_backward_twice(self, restarted, gradient):
        a = Value(3.0)
        f = a * a + a
        sweep(f, restarted)
        sweep(f, restarted)
        assert a.grad == gradient

    def test_our_second_backward_adds_the_same_again(self):
        a = Value(3.0)
        f = a * a + a
        f.backward()
        f.backward()
        assert a.grad == 14.0

    def test_gradients_of_two_passes(self):
        w = Value(2.0)
        loss = (w * w) * 3.0
        loss.backward()
        first = w.grad
        loss.backward()
        assert (first, w.grad) == (12.0, 24.0)

    def test_detach_cuts_the_recording(self):
        a = Value(3.0)
        c = (a * a).detach() * a
        c.backward()
        assert (c.data, a.grad) == (27.0, 9.0)

    def test_unequal_batches_are_weighted(self):
        draw = np.random.default_rng(1)
        inputs, targets = draw.normal(size=(7, 2)).tolist(), draw.normal(size=(7, 1)).tolist()
        model = nn.MLP([2, 3, 1], seed=1)
        nn.squared_error(model, inputs, targets).backward()
        full = [parameter.grad for parameter in model.parameters()]
        nn.accumulate(model, [(inputs[:2], targets[:2]), (inputs[2:], targets[2:])])
        assert [parameter.grad for parameter in model.parameters()] == approx(full, rel=1e-12)

    def test_derivatives_of_tanh(self):
        x = higher_order.Value(0.5)
        y = x.tanh()
        seen = [y]
        for _ in range(3):
            seen += higher_order.grad(seen[-1], [x])
        texts = ("0.462117", "0.786448", "-0.726862", "-0.565209")
        assert [value.data for value in seen] == [printed(text) for text in texts]

    def test_hessian_of_a_product(self):
        w0, w1 = higher_order.Value(1.5), higher_order.Value(-2.0)
        assert higher_order.hessian(w0**2 * w1, [w0, w1]) == [[-4.0, 3.0], [3.0, 0.0]]

    def test_second_derivative_of_a_cube(self):
        a = higher_order.Value(2.5)
        (first,) = higher_order.grad(a * a * a, [a])
        (second,) = higher_order.grad(first, [a])
        assert second.data == approx(6 * 2.5)

    @pytest.mark.parametrize("number", [-3.0, -0.2, 0.0, 0.7, 2.5])
    def test_sigmoid_two_ways(self, number):
        a, b = Value(number), Value(number)
        engine.composed_sigmoid(a).backward()
        b.sigmoid().backward()
        assert a.grad == approx(b.grad, rel=1e-14)

    def test_fit_of_a_line(self):
        assert nn.fit_line([-2, -1, 0, 1, 2], [-5, -3, -1, 1, 3], 200, 0.1) == approx((2.0, -1.0))

    def test_50_000_operations_in_a_row(self):
        a = Value(1.0)
        y = a
        for _ in range(50_000):
            y = y + 1.0
        y.backward()
        assert (y.data, a.grad) == (50_001.0, 1.0)

    def test_memory_of_a_value(self):
        tracemalloc.start()
        y = factor = Value(1.0)
        for _ in range(10_000):
            y = y * factor
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert used / 10_000 <= 400  # bytes for each operation


def sweep(output, restarted):
    """Go backward through the solution's graph as three engines do: they differ in what starts from zero again."""
    order = engine.topological_order(output)
    leaves = {parent for node in order for parent in node.parents if not parent.parents}
    cleared = {"nothing": set(), "computed values": set(order), "all": set(order) | leaves}
    for node in cleared[restarted]:
        node.grad = 0.0
    output.grad = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials, strict=True):
            parent.grad += partial * node.grad


@pytest.fixture
def classifier():
    """Return parameters, inputs and labels of the two-layer classifier, drawn as the reading draws them."""
    draw = np.random.RandomState(0)  # the numbers of np.random.seed(0)
    x, y = draw.randn(8, 3), draw.randint(0, 2, size=8)
    w1, w2 = 0.5 * draw.randn(3, 4), 0.5 * draw.randn(4, 2)
    return {"W1": w1, "b1": np.zeros(4), "W2": w2, "b2": np.zeros(2)}, x, y


@pytest.fixture
def regression():
    """Return parameters, inputs and targets of the two-layer network with the mean squared error."""
    draw = np.random.default_rng(0)
    x, y = draw.standard_normal((16, 4)), draw.standard_normal((16, 1))
    w1, w2 = draw.standard_normal((4, 8)) * 0.5, draw.standard_normal((8, 1)) * 0.5
    return {"W1": w1, "b1": np.zeros(8), "W2": w2, "b2": np.zeros(1)}, x, y
