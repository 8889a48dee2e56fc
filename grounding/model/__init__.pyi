from .answer import Answer as Answer
from .answer import AskStatus as AskStatus
from .answer import Usage as Usage
from .cache import AnswerCache as AnswerCache
from .client import ChatModel as ChatModel
from .form import Form as Form
from .form import compact_schema as compact_schema
from .tokens import estimate_tokens as estimate_tokens
