from .evaluate import ObjectScores as ObjectScores
from .evaluate import SeenWell as SeenWell
from .evaluate import Visibility as Visibility
from .evaluate import evaluate_objects as evaluate_objects
from .mapper import ObjectMapper as ObjectMapper
from .settings import ObjectSettings as ObjectSettings
