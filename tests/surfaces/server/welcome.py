"""A request that the guard lets in; tests change one thing about it."""

from servers import Running

REMEMBER = "/v1/spaces/ana/tools/remember"
CONTENT = b'{"content": "Prefers window seats", "name": "seat"}'


def own(server: Running, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """What a welcome request carries."""
    return [
        ("Host", f"localhost:{server.port}"),
        ("Authorization", f"Bearer {server.token}"),
        ("Content-Type", "application/json"),
        *more,
    ]
