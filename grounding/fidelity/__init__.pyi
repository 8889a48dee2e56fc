from .check import Fidelity as Fidelity
from .check import unfaithful as unfaithful
