"""Put our session in the place of `SQLiteSession`, with the constructor that its tests use."""

import agents
import agents.memory
import agents.memory.sqlite_session as theirs

import ricordo
from ricordo.adapters.openai_agents import RicordoSession


class Session(RicordoSession):
    def __init__(
        self,
        session_id,
        db_path=":memory:",
        sessions_table="agent_sessions",  # noqa: ARG002
        messages_table="agent_messages",
        session_settings=None,
    ):
        self.memory = ricordo.open(str(db_path))
        super().__init__(
            session_id, self.memory, space=messages_table, session_settings=session_settings
        )

    def close(self):
        super().close()
        self.memory.close()


agents.SQLiteSession = agents.memory.SQLiteSession = theirs.SQLiteSession = Session
