"""The rows of a game.json, each read by a function that reports what can't be right with its place.

`values` reads words and numbers, `land` great fields, `names` places and rulers that are there, `rulers` what is known
of each ruler, `modules` what only some games have. `document.load` puts a position together from them.
"""
