from .methods import results as results
from .scores import score as score
from .teams import Team as Team
from .teams import made_up as made_up
from .teams import mapped as mapped
