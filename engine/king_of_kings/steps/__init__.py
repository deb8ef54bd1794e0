"""The phases of a turn, each a function of the working `Turn`. `turn.STEPS` lists them in their order."""
