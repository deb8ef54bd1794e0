"""Players that the computer plays: from a game's `Judgement` to a sheet of orders, in any game that has one."""
