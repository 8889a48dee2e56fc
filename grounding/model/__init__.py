"""Language models behind any OpenAI-compatible server: asked for checked values, within time and budget."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Answer": "answer",
        "AnswerCache": "cache",
        "AskStatus": "answer",
        "ChatModel": "client",
        "Form": "form",
        "Usage": "answer",
        "compact_schema": "schema",
        "estimate_tokens": "tokens",
    },
)
