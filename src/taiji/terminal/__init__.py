"""Play in a terminal: full-screen, or by typed lines."""
