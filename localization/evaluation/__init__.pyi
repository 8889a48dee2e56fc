from .problems import Known as Known
from .problems import campus_pair as campus_pair
from .problems import point_sets as point_sets
from .problems import scattered_maps as scattered_maps
from .worlds import campus as campus
from .worlds import grid as grid
