"""Records the calls of a decorated function as spans."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from ._spans import Span

Function = TypeVar("Function", bound=Callable[..., object])


def record_calls(span: Span, function: Function) -> Function:
    """Wraps a function, a coroutine function or a generator function."""
    call = cast("Callable[..., Any]", function)

    def prepared(args: tuple[object, ...], kwargs: Mapping[str, object]) -> Span:
        own = span.fork()
        own.called(getattr(call, "__name__", type(call).__name__), _arguments(call, args, kwargs))
        return own

    if inspect.isasyncgenfunction(call):

        @wraps(call)
        async def stream(*args: object, **kwargs: object) -> AsyncIterator[object]:
            own, items, yielded = prepared(args, kwargs), call(*args, **kwargs), list[object]()
            own.begin()
            try:
                while True:
                    own.activate()
                    try:
                        item = await anext(items)
                    finally:
                        own.deactivate()
                    yielded.append(item)
                    yield item
            except (StopAsyncIteration, GeneratorExit):
                _ended(own, yielded)
                await items.aclose()
            except BaseException as error:
                own.finish(error)
                raise

        return cast("Function", stream)

    if inspect.isgeneratorfunction(call):

        @wraps(call)
        def generate(*args: object, **kwargs: object) -> Iterator[object]:
            own, items, yielded = prepared(args, kwargs), call(*args, **kwargs), list[object]()
            own.begin()
            try:
                while True:
                    own.activate()
                    try:
                        item = next(items)
                    finally:
                        own.deactivate()
                    yielded.append(item)
                    yield item
            except (StopIteration, GeneratorExit):
                _ended(own, yielded)
                items.close()
            except BaseException as error:
                own.finish(error)
                raise

        return cast("Function", generate)

    if inspect.iscoroutinefunction(call):

        @wraps(call)
        async def run_async(*args: object, **kwargs: object) -> object:
            with prepared(args, kwargs) as own:
                result = await call(*args, **kwargs)
                own.returned(result)
            return result

        return cast("Function", run_async)

    @wraps(call)
    def run(*args: object, **kwargs: object) -> object:
        with prepared(args, kwargs) as own:
            result = call(*args, **kwargs)
            own.returned(result)
        return result

    return cast("Function", run)


def _ended(span: Span, items: list[object]) -> None:
    """Ends the span of a generator. Texts are joined, as a model streams them."""
    texts = [item for item in items if isinstance(item, str)]
    span.returned("".join(texts) if len(texts) == len(items) else items)
    span.finish()


def _arguments(call: Callable[..., Any], args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
    try:
        bound = inspect.signature(call).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return dict(kwargs)
    first = next(iter(bound), None)
    return {name: value for name, value in bound.items() if not (name == first and name in ("self", "cls"))}
