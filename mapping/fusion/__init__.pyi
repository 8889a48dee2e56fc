from .g2o import read_g2o as read_g2o
from .g2o import write_g2o as write_g2o
from .posegraph import Constraints as Constraints
from .posegraph import PoseGraph as PoseGraph
from .robust import Optimized as Optimized
from .robust import optimize as optimize
