"""Battles: from a `BattleSite` to a `BattleCourse`. Each module holds a group of rules; `rounds` lists the steps.

What a battle starts from and what it works on:
    sites       B1 B2 B27   sides, armies, plans, the ground
    ground      B4          the small fields of the site
    boards                  the same as bits of numbers: ways and distances over large sites
    fight                   the value that all steps work on: who is where
    fighters                figures with what they can do
    kinds                   the kinds that have rules of their own; `odds`: chances of three dice
    land        B5 B6 B15   the land as the battle changes it
    works       B12 B13     walls, gates, buildings, and what is left of them

The steps of a round:
    deployment  B2 B8       which figures start where, and who is mounted
    rounds      B3 B4 B25   a round as the visible list of its steps; the battle
    hazards     B10 B16     survival, swamp and desert
    starving    B20         the besieged starve
    hiding      22.3        agents who come out of hiding
    aims        B27         where figures want to go
    movement    B5 B6       how far they go, and where they may stand
    ascents     B6          ways up for gear
    afloat      B18 B22     craft
    wrecking    B21         destroying one's own gear
    stones      B11 B12     onagers
    storming    B13 B14     over the walls and through them
    guarding    B13         how a building is held
    shooting    B9          bows
    melee       B4 B7       hand to hand, with support
    trampling   B19         elephants and wagons
    phalanxes   B8          forming, stepping, turning, the power strike
    centres     B22         who holds the trade centres
    flight      B24         who runs
    freeing     23.1        slaves whom nobody guards

Special figures:
    magic       19          wizards
    prayers     20          priests
    royalty     18          kings
    bearers     KA234       artefacts
    gods, weak_spots, apparitions, invocations, wonders, divine      24

What it comes to:
    record                  what has happened so far, as it will be told
    losses                  what it has cost so far
    ending                  who lives and where, what is lost, won and broken
    course                  what happened, for reports and pictures
    ruling                  what a game master rules on it
"""
