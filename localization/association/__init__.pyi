from .densest import densest_set as densest_set
from .match import associate as associate
from .result import Association as Association
from .result import Verdict as Verdict
