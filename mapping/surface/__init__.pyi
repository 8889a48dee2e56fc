from .archive import MeshArchive as MeshArchive
from .field import DistanceField as DistanceField
from .ground import GroundMap as GroundMap
from .mesh_part import MeshPart as MeshPart
from .settings import SurfaceSettings as SurfaceSettings
