"""The report of a study: one HTML page that needs nothing but itself, and its plots as files."""
