"""The collections of a space, found by themselves: a new one is tested without being named."""

import inspect

import ricordo
from ricordo import handles

COLLECTIONS = [
    name
    for name, _ in inspect.getmembers(ricordo.Space, inspect.isdatadescriptor)
    if name[0] != "_"
]


def collection_types() -> dict[str, type]:
    """Each collection by the property that leads to it."""
    kinds = {name: getattr(ricordo.Space, name).fget.__annotations__ for name in COLLECTIONS}
    # A collection is imported when it is used, so its property names it by a text.
    return {name: getattr(getattr(handles, name), kind["return"]) for name, kind in kinds.items()}


def public_methods(owner: type) -> list[str]:
    """The public methods of a handle."""
    found = inspect.getmembers(owner, inspect.isfunction)
    return [name for name, _ in found if not name.startswith("_")]
