"""Use cases, one file each: the only place where pure logic meets the store and the embedders."""
