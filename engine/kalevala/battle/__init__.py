"""Battles in the open field: from a `BattleSite` to a `BattleCourse`. Each module holds a group of B-rules.

sites       B1 B2 B27   what a battle starts from: sides, armies, plans, the ground
ground                  the small fields of the site
boards                  the same as bits of numbers: ways and distances over large sites
fight                   the value that all steps work on: who is where
land        B5 B6 B15   the land as the battle changes it
record                  what has happened so far, as it will be told
losses                  what it has cost so far
deployment  B2 B8       which figures start where, and who is mounted
rounds      B3 B4 B25   a round as the visible list of its steps; the battle
hazards     B10 B16     survival, swamp and desert
movement    B5 B6       how far figures go, and where they may stand
aims        B27         where they want to go
phalanxes   B8          forming, stepping, turning, the power strike
trampling   B19         elephants
shooting    B9 B11      bows and onagers
melee       B4 B7       hand to hand, with support
centres     B22         who holds the trade centres
flight      B24         who runs
course                  what happened, for reports and pictures
"""
