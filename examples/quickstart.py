"""Remember three things, find one by meaning, and see why it was found."""

import ricordo

with ricordo.open("quickstart.db") as memory:
    ana = memory.space("ana")
    ana.remember("Prefers window seats", name="seat")
    ana.remember("Allergic to peanuts", name="allergy")
    ana.remember("Works at the harbour office in Oslo", name="work")
    memory.flush()  # wait for the vectors; recall by words would need no waiting

    for hit in ana.recall("where does she like to sit?", limit=2):
        print(f"{hit.score:6.2f}  {hit.entry.name}: {hit.text}")
        for part, value in hit.parts.items():
            print(f"        {part:8} {value:6.2f}")
