"""Kregen: heroes and duels, pirates, rivers, and fleets that move twice."""
