"""All text for people, from the one table in `domain/words`."""

from collections.abc import Mapping

from domain.words import LANGS, Message, load_messages, say

__all__ = ("LANGS", "MESSAGES", "Message", "load_messages", "say")

MESSAGES: Mapping[str, Message] = load_messages()
