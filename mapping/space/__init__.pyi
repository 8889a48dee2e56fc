from .distances import Distances as Distances
from .patches import Patches as Patches
from .places import Places as Places
from .settings import SpaceSettings as SpaceSettings
