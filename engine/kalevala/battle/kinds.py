"""The kinds of figures for which battles have rules of their own, by their codes."""

from __future__ import annotations

ELEPHANTS = ("El", "Mm")
WAGON = "QuW"
TRAMPLERS = (*ELEPHANTS, WAGON)
"""Animals and wagons that carry warriors and trample enemies. Source: rules B19"""
ONAGER = "On"
LADDER, ROPE, RAM, TURTLE, SIEGE_TOWER = "Le", "Se", "Wi", "Sk", "Bt"
CREWS = {ONAGER: 2, RAM: 2, TURTLE: 3, SIEGE_TOWER: 3, LADDER: 1, ROPE: 1}
"""The crew of each piece of gear, in warriors. Source: rules B11, B13, ruling KA71"""
STORMING = (LADDER, ROPE, RAM, TURTLE, SIEGE_TOWER)
"""Gear that is brought to the walls."""
ON_SIEGE_TOWER = 2
"""How many of a siege tower's crew of three stand on top. Source: rules 26"""
AT_EDGES = (LADDER, ROPE, RAM)
"""Gear that men carry and that leans on an edge when set; it takes no room once it is on its way. Ruling KA75"""
WIZARD = "Z"
SAILING_SHIP = "SS"
CIVILIANS = ("K", WIZARD, "Sl")
"""Those who keep out of the enemies' way by default. Source: rules B27"""
