"""The base of every settings model: frozen, and strict about names at every level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic_core import CoreSchema


class Settings(BaseModel):
    """Base class of a group of settings; an unknown key is an error wherever it stands.

    The string below a field is its help text in ``commonground config schema``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> dict[str, Any]:
        schema = handler(core_schema)
        fields = handler.resolve_ref_schema(schema)["properties"]
        for name, text in help_texts(cls).items():
            fields[name].setdefault("description", text)
        return schema


def help_texts(model: type[BaseModel]) -> dict[str, str]:
    """Return the help text of each field that has one, of its own or inherited."""
    bases = (base for base in reversed(model.__mro__) if issubclass(base, Settings))
    texts = ((name, text) for base in bases for name, text in _texts(base).items())
    return {name: text for name, text in texts if name in model.model_fields}


def _texts(model: type[Settings]) -> dict[str, str]:
    """Return the strings below a model's fields.

    pydantic's ``use_attribute_docstrings`` reads them from the source whenever a model is imported, which
    is a twentieth of a second in each command.
    """
    import ast
    import inspect
    import textwrap

    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    found: dict[str, str] = {}
    if isinstance(body, ast.ClassDef):
        for field, below in zip(body.body, body.body[1:], strict=False):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    found[name] = inspect.cleandoc(text)
    return found
