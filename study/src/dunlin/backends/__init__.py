"""How work gets onto a system: directly (`dunlin.runner`), or as jobs of a batch system."""
