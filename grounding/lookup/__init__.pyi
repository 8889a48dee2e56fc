from .finding import Finder as Finder
from .finding import Findings as Findings
from .finding import Hit as Hit
from .finding import find as find
from .looks import TextEncoder as TextEncoder
from .looks import model_of as model_of
