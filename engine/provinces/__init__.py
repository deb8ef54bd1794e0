"""What games on a map of provinces share: the board, what units can do on it, and who gets where."""
