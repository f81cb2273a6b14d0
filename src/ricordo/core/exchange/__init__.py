"""Exchange: formats of export, memories of other programs, files beside entries."""
