"""Two users of one agent: the same names, different spaces, and nothing crosses."""

import ricordo

with ricordo.open("two_users.db") as memory:
    for user, city in (("ana", "Lisbon"), ("ben", "Oslo")):
        space = memory.space(user)
        space.remember(f"Lives in {city}", name="home")
        space.fact("user", "city", city)

    for user in memory.spaces():
        found = memory.space(user).recall("Where is home?", limit=5)
        print(user, "->", [hit.text for hit in found])

    receipt = memory.space("ana").forget("home")
    print("removed from ana:", dict(receipt.removed))
    print("ben still has:", memory.space("ben").get("home").content)
