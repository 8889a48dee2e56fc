from .check import Fidelity as Fidelity
from .check import unfaithful as unfaithful
from .goals import unfaithful_goals as unfaithful_goals
