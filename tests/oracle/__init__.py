"""A second judge for standard Diplomacy, slow and plain, that shares no line with the engine.

`movement` holds the equations and finds what they allow, `aftermath` says what follows (outcomes, retreats,
centres, removals, the next phase), `board` is a second copy of the map's facts. The tests compare the engine
with it.
"""
