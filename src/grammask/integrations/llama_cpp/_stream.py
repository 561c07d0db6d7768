"""An output of a loaded model as it is generated, on a session that goes back to the model when it ends.

Rule: the loop is decoding's; this only lends it a session.  Below: decoding.generate, _session.  Above: model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from grammask.decoding.generate import GenerateOptions, Stream
from grammask.errors import PromptError
from grammask.integrations.llama_cpp._session import Session

if TYPE_CHECKING:
    from grammask.decoding.constraint import Constraint

__all__ = ["ModelStream"]


class ModelStream(Stream):
    """Iterate for the text, piece by piece (no piece splits a character); then `result` has the whole.

    Broken off early, close it (or use `with`): its session is then free for the next output.
    """

    def __init__(
        self,
        session: Session,
        give_back: Callable[[Session], None],
        prompt_token_ids: Sequence[int],
        constraint: Constraint | None,
        options: GenerateOptions,
    ) -> None:
        self._session: Session | None = session
        self._give_back = give_back
        super().__init__(session, prompt_token_ids, constraint, options)

    def __next__(self) -> str:
        """The next piece of text, never empty. Raises PromptError if the stream was closed before its end."""
        if self._session is None and self.finish_reason is None and self._failure is None:
            raise PromptError("this stream was closed before its end", "start another")
        try:
            return super().__next__()
        except BaseException:  # the end of the iteration among them
            self.close()
            raise

    def close(self) -> None:
        """Give the session back. What was generated can still be read, but not continued. Closing twice is fine."""
        session, self._session = self._session, None
        if session is not None:
            self._give_back(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
