"""Kalevala, the land of the epics: hexagons in hexagons, everything secret. `system.KALEVALA` is the game."""
