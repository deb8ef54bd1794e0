"""Standard Diplomacy, and what the variants that stand on it share with it."""
