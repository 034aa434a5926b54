"""A module of ordinary classes, behind the grader and in plain Python."""

from typing import Any

from autograder.interface import RemoteInterface
from autograder.remote.module import RemoteModule
from autograder.remote.tape import Tape

from .near import Near

INTERFACE = RemoteInterface(file="classes.py")
CLASSES = """
from math import gcd


class Fraction:
    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("no fraction has the denominator 0")
        shared = gcd(top, bottom)
        self.top, self.bottom = top // shared, bottom // shared

    def __add__(self, other):
        return Fraction(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __eq__(self, other):
        if not isinstance(other, Fraction):
            return NotImplemented
        return (self.top, self.bottom) == (other.top, other.bottom)

    def __lt__(self, other):
        return self.top * other.bottom < other.top * self.bottom

    def __hash__(self):
        return hash((self.top, self.bottom))

    def __bool__(self):
        return self.top != 0

    def __float__(self):
        return self.top / self.bottom

    def __round__(self, digits=None):
        return round(self.top / self.bottom, digits)

    def __floor__(self):
        return self.top // self.bottom

    def __str__(self):
        return f"{self.top}/{self.bottom}"

    def __repr__(self):
        return f"Fraction({self.top}, {self.bottom})"

    def __format__(self, spec):
        return format(self.top / self.bottom, spec) if spec else str(self)


class Named:
    def __init__(self, name):
        self.name = name

    def __lt__(self, other):
        return f"{self.name} < {getattr(other, 'name', other)}"

    def __gt__(self, other):
        return f"{self.name} > {getattr(other, 'name', other)}"


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        return self

    def pop(self):
        if not self.items:
            raise IndexError("the stack is empty")
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return item in self.items

    def __iter__(self):
        return iter(self.items)

    def __reversed__(self):
        return reversed(self.items)

    def __getitem__(self, place):
        return self.items[place]

    def __setitem__(self, place, item):
        self.items[place] = item

    def __delitem__(self, place):
        del self.items[place]


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left + 1


class Refused(ValueError):
    pass


class Account:
    def __init__(self, balance):
        self._balance, self.log = balance, []

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError("an account is never below zero")
        self._balance = value

    def withdraw(self, amount):
        if amount > self._balance:
            raise Refused("too little money")
        self._balance -= amount

    def __call__(self, amount):
        self._balance += amount
        return self._balance

    def __enter__(self):
        self._before = self._balance
        return self

    def __exit__(self, kind, problem, trace):
        self.log.append([kind.__name__ if kind else "", str(problem) if problem else ""])
        if kind is not None:
            self._balance = self._before
        return kind is not None and issubclass(kind, Refused)
"""


def near_module(source=CLASSES, interface=INTERFACE):
    near: Any = Near(source)
    return RemoteModule(Tape(near, lambda: 1.0), interface, 1, near.names)
