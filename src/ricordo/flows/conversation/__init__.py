"""Conversation: context, summaries, compaction, restoring, consolidation."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.conversation import compact as compact
    from ricordo.flows.conversation import consolidate as consolidate
    from ricordo.flows.conversation import context as context
    from ricordo.flows.conversation import cut as cut
    from ricordo.flows.conversation import edit as edit
    from ricordo.flows.conversation import fork as fork
    from ricordo.flows.conversation import restore as restore
    from ricordo.flows.conversation import summarize as summarize
else:
    __getattr__ = open_room(__name__)
