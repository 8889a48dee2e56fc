from .errors import CommongroundError as CommongroundError
from .frame import Camera as Camera
from .frame import Frame as Frame
from .objects import ObjectMap as ObjectMap
from .runs import Run as Run
from .scene import Layer as Layer
from .scene import SceneGraph as SceneGraph

__version__: str
