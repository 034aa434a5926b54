"""The numbers in the three readings that only PyTorch prints: float32, its random generator, its refusals.

They run under `make parity` and are skipped where PyTorch is not installed. Where the homework has the same thing, both
are computed and compared. Random numbers of PyTorch are those that its generator gives on a CPU.
"""

import math

import pytest
from pytest import approx

torch = pytest.importorskip("torch", reason="PyTorch is not installed: `make parity` installs it")

import engine  # noqa: E402 - only where there is something to compare with
import nn  # noqa: E402
from engine import Value  # noqa: E402

FLOAT32 = 2e-7  # the difference between a float32 and a float64, for numbers near 1: half of 2⁻²³, and a few operations


def tensors(*numbers):
    return [torch.tensor(number, dtype=torch.float32, requires_grad=True) for number in numbers]


def differences(expression, *numbers):
    """Return how far value and gradients of an expression are apart: float64 here, float32 there."""
    ours, theirs = [Value(number) for number in numbers], tensors(*numbers)
    y, expected = expression(*ours), expression(*theirs)
    y.backward()
    expected.backward()
    found, wanted = [y.data, *(v.grad for v in ours)], [expected.item(), *(t.grad.item() for t in theirs)]
    return [abs(a - b) for a, b in zip(found, wanted, strict=True)]


def tangled(a, b, c):
    d = a * b + c
    e = (d + a).tanh()
    return e * d + b


def every_operator(a, b, c):
    z = (a * b + b.exp()) * (a + c)
    z = z.tanh() + (a * a * c).relu()
    return z + (b / (c + 2.0)) ** 2


class TestAutodiffFromScratch:
    def test_saturated_neuron(self):
        x, w, b = tensors(2.0, -3.0, 1.0)
        torch.tanh(x * w + b).backward()
        assert w.grad.item() == approx(0.0003630950232036412, rel=1e-3)  # 1 - t² in float32 keeps four digits


class TestPrimer:
    def test_reused_value(self):
        assert differences(lambda a: a * a + a, 3.0) == [0.0, 0.0]

    def test_expression_of_every_operator(self):
        apart = differences(every_operator, 0.5, -1.2, 0.9)
        assert 1e-9 < max(apart[1:]) < FLOAT32  # 5.36e-08

    def test_value_of_every_operator(self):
        assert every_operator(*tensors(0.5, -1.2, 0.9)).item() == approx(0.00070366, abs=5e-8)

    def test_gradient_of_a_layer_is_an_outer_product(self):
        torch.manual_seed(0)
        w, x, target = torch.randn(3, 5, requires_grad=True), torch.randn(5), torch.randn(3)
        y = w @ x
        y.retain_grad()
        (0.5 * ((y - target) ** 2).sum()).backward()
        delta = (y - target).detach()
        assert (w.is_leaf, y.is_leaf) == (True, False)
        assert torch.allclose(y.grad, delta, atol=1e-6)
        assert (w.grad - torch.outer(delta, x)).abs().max().item() == 0.0

    def test_gradients_accumulate(self):
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        (w**2).sum().backward()
        first = w.grad.tolist()
        (w**2).sum().backward()
        second = w.grad.tolist()
        w.grad = None
        (w**2).sum().backward()
        assert [first, second, w.grad.tolist()] == [[2.0, 4.0], [4.0, 8.0], [2.0, 4.0]]

    def test_no_grad_and_inference_mode(self):
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        with torch.no_grad():
            without = (w**2).sum()
        with torch.inference_mode():
            inferred = (w**2).sum()
        assert (w**2).sum().grad_fn is not None
        assert [(w**2).sum().requires_grad, without.requires_grad, inferred.requires_grad] == [True, False, False]

    @pytest.mark.parametrize(("cut", "slope"), [(False, 6.0), (True, 3.0)])
    def test_detach(self, cut, slope):
        (x,) = tensors(3.0)
        (x * (x.detach() if cut else x)).backward(retain_graph=True)
        assert x.grad.item() == slope

    def test_micro_batches(self):
        torch.manual_seed(0)
        x, w, target = torch.randn(4, 3), torch.zeros(3, requires_grad=True), torch.randn(4)
        ((x @ w - target) ** 2).mean().backward()
        full = w.grad.clone()
        neuron = nn.Neuron(3)
        for parameter in neuron.parameters():
            parameter.data = 0.0
        nn.accumulate(neuron, [([row], [[t]]) for row, t in zip(x.tolist(), target.tolist(), strict=True)])
        *ours, _ = [parameter.grad for parameter in neuron.parameters()]
        assert [round(number, 4) for number in full.tolist()] == [0.588, 0.9566, -0.56]
        assert ours == approx(full.tolist(), abs=1e-6)  # 5.96e-08 between PyTorch's own two ways

    def test_clipping(self):
        torch.manual_seed(0)
        w = torch.randn(10, requires_grad=True)
        (1000.0 * (w**2).sum()).backward()
        ours = [Value(number) for number in w.tolist()]
        (1000.0 * sum([each**2 for each in ours], Value(0.0))).backward()
        before = nn.clip(ours, 1.0)
        norm = w.grad.norm().item()
        torch.nn.utils.clip_grad_norm_([w], max_norm=1.0)
        assert norm == approx(6988.06, abs=5e-3)
        assert before == approx(6988.06, abs=5e-3)
        assert w.grad.norm().item() == approx(1.0, abs=5e-5)
        assert [each.grad for each in ours] == approx(w.grad.tolist(), abs=1e-6)

    def test_gradcheck(self):
        a, b = (torch.randn(4, dtype=torch.float64, requires_grad=True) for _ in range(2))
        assert torch.autograd.gradcheck(lambda a, b: (a * b.tanh() + a**2).sum(), (a, b), eps=1e-6, atol=1e-4)

    def test_change_in_place_of_what_nobody_needs(self):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y += 1
        y.sum().backward()  # no error: the product by a constant needs no value
        assert x.grad.tolist() == [2.0, 2.0]

    @pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf:UserWarning")
    def test_gradient_of_a_computed_value_is_not_kept(self):
        (x,) = tensors(3.0)
        h = x * x
        (h * 2).backward()
        assert h.grad is None

    def test_a_plain_number_leaves_the_graph(self):
        (x,) = tensors(3.0)
        assert type(x.item() * 2) is float
        assert (x * 2).requires_grad

    def test_hessian(self):
        def cubic(v):
            return v[0] ** 2 * v[1] + v[1] ** 3

        point, vector = torch.tensor([1.3, -0.7]), torch.tensor([2.0, -1.0])
        hessian = torch.autograd.functional.hessian(cubic, point)
        _, product = torch.autograd.functional.hvp(cubic, point, vector)
        assert hessian.flatten().tolist() == approx([-1.4, 2.6, 2.6, -4.2], abs=FLOAT32 * 10)
        assert product.tolist() == approx([-5.399999618530273, 9.399999618530273], abs=1e-6)

    def test_meta_gradients(self):
        (theta,) = tensors(0.5)
        (slope,) = torch.autograd.grad(0.5 * (theta - 1.0) ** 2, theta, create_graph=True)
        moved = theta - 0.4 * slope
        (full,) = torch.autograd.grad(0.5 * moved**2, theta, retain_graph=True)
        (first,) = torch.autograd.grad(0.5 * moved**2, moved)
        assert [moved.item(), full.item(), first.item()] == approx([0.7, 0.42, 0.7], abs=FLOAT32)


class TestReading15:
    def test_tangled_expression(self):
        apart = differences(tangled, 0.7, -1.3, 2.0)
        assert 1e-9 < max(apart) < FLOAT32  # 5.19e-08, 2.42e-08, 4.19e-08 and 5.93e-08
        assert tangled(*tensors(0.7, -1.3, 2.0)).item() == approx(-0.269121, abs=5e-7)

    @pytest.mark.parametrize(
        ("function", "numbers", "slopes"),
        [
            (torch.relu, [-1.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
            (torch.abs, [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]),
            (torch.sqrt, [0.0, 1.0], [math.inf, 0.5]),
            (lambda x: torch.where(x > 0, torch.sqrt(x), torch.zeros_like(x)), [0.0, 4.0], [math.nan, 0.25]),
        ],
        ids=["relu", "abs", "sqrt", "where"],
    )
    def test_kinks_and_infinities(self, function, numbers, slopes):
        x = torch.tensor(numbers, requires_grad=True)
        function(x).sum().backward()
        assert x.grad.tolist() == approx(slopes, nan_ok=True)

    def test_mask_before_the_square_root(self):
        x = torch.tensor([0.0, 4.0], requires_grad=True)
        safe = torch.zeros_like(x)
        safe[x > 0] = torch.sqrt(x[x > 0])
        safe.sum().backward()
        assert x.grad.tolist() == [0.0, 0.25]

    def test_change_in_place_is_refused(self):
        a = torch.ones(3, requires_grad=True)
        b = a.exp()
        b.add_(1.0)
        with pytest.raises(
            RuntimeError, match="one of the variables needed for gradient computation has been modified"
        ):
            b.sum().backward()

    def test_second_backward_is_refused(self):
        (w,) = tensors(2.0)
        loss = (w * w) * 3.0
        loss.backward()
        assert w.grad.item() == 12.0
        with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
            loss.backward()

    def test_leaves_accumulate_when_the_graph_is_kept(self):
        (w,), ours = tensors(2.0), Value(2.0)
        theirs, mine = (w * w) * 3.0, (ours * ours) * 3.0
        for _ in range(2):
            theirs.backward(retain_graph=True)
            mine.backward()
        assert (w.grad.item(), ours.grad) == (24.0, 24.0)

    def test_second_backward_gives_14_with_the_graph_kept(self):
        (a,) = tensors(3.0)
        f = a * a + a
        f.backward(retain_graph=True)
        f.backward()
        assert a.grad.item() == 14.0

    def test_detach_and_no_grad(self):
        (a,), ours = tensors(3.0), Value(3.0)
        ((a * a).detach() * a).backward()
        ((ours * ours).detach() * ours).backward()
        with torch.no_grad():
            d = a * a
        with engine.no_grad():
            mine = ours * ours
        assert (a.grad.item(), ours.grad) == (9.0, 9.0)
        assert (d.requires_grad, mine.parents) == (False, ())

    def test_derivatives_of_tanh(self):
        (x,) = tensors(0.5)
        seen = [torch.tanh(x)]
        for _ in range(3):
            seen += torch.autograd.grad(seen[-1], x, create_graph=True)
        assert [y.item() for y in seen] == approx([0.462117, 0.786448, -0.726862, -0.565209], abs=1e-6)

    def test_hessian_of_a_product(self):
        hessian = torch.autograd.functional.hessian(lambda w: w[0] ** 2 * w[1], torch.tensor([1.5, -2.0]))
        assert hessian.tolist() == [[-4.0, 3.0], [3.0, 0.0]]
