from .domain import household_domain as household_domain
from .graph import HouseGraph as HouseGraph
from .modeled import ModelWriter as ModelWriter
from .offline import OfflineWriter as OfflineWriter
from .problem import Problem as Problem
from .stages import Writer as Writer
from .stages import Written as Written
from .stages import write_problem as write_problem
