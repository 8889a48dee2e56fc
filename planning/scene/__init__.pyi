from .certificate import certify as certify
from .goal import parse_goal as parse_goal
from .plan import Action as Action
from .plan import RobotPlan as RobotPlan
from .plan import TeamPlan as TeamPlan
from .precedence import Before as Before
from .precedence import Step as Step
from .wording import in_words as in_words
