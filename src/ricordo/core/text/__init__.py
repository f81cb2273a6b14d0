"""Text: what it is made of, what it costs, how it is indexed, quoted and written down."""
