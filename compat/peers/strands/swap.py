"""Put our repository in the place of the one that Strands' tests keep sessions in."""

import tests.fixtures.mock_session_repository as theirs

import ricordo
from ricordo.adapters.strands import RicordoRepository


class Repository(RicordoRepository):
    def __init__(self):
        super().__init__(ricordo.open(":memory:"))


theirs.MockedSessionRepository = Repository
