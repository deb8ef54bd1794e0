"""A battle in sentences that can be read aloud, and each of its rolls as a line. Source: rules 34"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.battle.course import (
    ABANDONED,
    ADRIFT,
    ARTEFACT,
    ASCENT,
    BREACH,
    CHALLENGE,
    COUNTER,
    DEFIED,
    DESTROY,
    FORSAKEN,
    GATE,
    GOD,
    GOD_CALLED,
    GOD_LEAVES,
    GODS_FIGHT,
    HAZARD,
    HUNGER,
    KINGS_CAME,
    KINGS_IN_VAIN,
    KNOT,
    LADDER,
    MELEE,
    ONAGER,
    OVER,
    OVERROLL,
    PITCH,
    PRAYER,
    RAM,
    RAMMING,
    ROPE,
    RUIN,
    SHOT,
    SIEGE_HOLDS,
    SPELL,
    SUNK,
    SWUM,
    TIP,
    TRAMPLE,
    TRIPLE,
    WARDED,
    WEAK_SPOT,
    WIND,
    Spotted,
)
from engine.kalevala.battle.wonders import QUAKE
from engine.kalevala.battle.works import WALL_HIT
from engine.kalevala.coordinates import Edge, GfId
from engine.kalevala.figures import Figures, kind_of, parse_figures, plus, rank_of, total, worth
from engine.kalevala.gods.facts import STRIKES
from engine.kalevala.planes.facts import MYSTIC
from engine.kalevala.tables import WORKS
from engine.kalevala.telling.account import AccountRound, BattleAccount, Check, Feat, Stand, Stroke
from engine.lattice.great_fields import Side

DECISIVE = 0.2
"""A round is a turning point if a side loses this much more, as a share of what it began with, than its enemies."""

SMALL = 10
"""How many times as much as a camp the strongest has to be worth for its losses to decide nothing between others."""


def story(account: BattleAccount) -> Iterator[Phrase]:
    """The whole battle in paragraphs: how it began, its rounds, how it ended, what it cost."""
    yield opening(account)
    for ruler, figures in account.misplaced.items():
        yield phrase("battle.misplaced", ruler=ruler, figures=_written(_figures(figures)))
    for one in account.rounds:
        lines = reduce(lambda first, then: phrase("battle.joined", first=first, then=then), round_lines(account, one))
        yield phrase("battle.round", number=one.number, lines=lines)
    yield from ending(account)


def opening(account: BattleAccount) -> Phrase:
    """Where it was fought, by whom, with which figures."""
    hosts = []
    for number, side in enumerate(account.sides):
        code = "battle.host_attacks" if number == 0 else "battle.host_stands"
        hosts += [phrase(code, ruler=ruler, figures=_written(_of(ruler, account.start))) for ruler in side]
    return phrase("battle.opening", place=account.id, site=tuple(account.gf), hosts=tuple(hosts))


def storeys(stands: Iterable[Stand]) -> Iterator[Phrase]:
    """Who is on platforms and inside buildings."""
    for stand in stands:
        if stand.storey:
            code = "battle.on_platform" if stand.storey == "P" else "battle.inside"
            figures = _written(_figures(stand.figures))
            yield phrase(code, ruler=stand.ruler, figures=figures, gf=stand.at.gf, cell=stand.at.cell)


def ending(account: BattleAccount) -> Iterator[Phrase]:
    """How it ended and why, and what each lost."""
    rounds = len(account.rounds)
    if account.winner is not None:
        beaten = tuple(ruler for camp in account.camps if account.winner not in camp for ruler in camp)
        yield phrase(f"battle.end_{account.why}", winner=account.winner, losers=beaten, count=rounds)
    else:
        yield phrase("battle.end_undecided", count=rounds)
    turn = next(iter(turning_points(account)), None)
    if turn is not None and rounds > 1:
        yield _turn(account, turn)
    for ruler in account.rulers:
        yield _cost_of_all(account, ruler)


def _turn(account: BattleAccount, one: AccountRound) -> Phrase:
    """Why a round was the turning point: what it cost, or, if it cost nothing, the trade centre taken, or who fled."""
    losers, others = _gap(account, one)
    lost, cost = _cost(one, losers), _cost(one, others)
    if lost:
        return phrase("battle.turned", number=one.number, rulers=losers, lost=lost, foes=others, cost=cost)
    for gf, ruler in one.taken:
        return phrase("battle.turned_taken", number=one.number, ruler=ruler, gf=gf)
    fled = tuple(dict.fromkeys(escape.ruler for escape in one.escapes))
    return phrase("battle.turned_fled", number=one.number, rulers=fled)


def _cost_of_all(account: BattleAccount, ruler: PowerId) -> Phrase:
    """Whom a ruler lost, who fled or hid, and who is left."""
    lost = total(_figures(each.figures) for one in account.rounds for each in one.losses if each.ruler == ruler)
    left = _of(ruler, account.end)
    fled = [each.figures for one in account.rounds for each in one.escapes if each.ruler == ruler]
    hid = [each for one in account.rounds for each in one.hidden if not each.is_out and not each.is_being]
    gone = total(map(_figures, (*fled, *(each.figures for each in hid if each.ruler == ruler))))
    code = "gone" if gone else "all" if lost and not left else ""
    nobody = (phrase("battle.nobody"),)
    args = {name: _written(figures) or nobody for name, figures in (("lost", lost), ("gone", gone), ("left", left))}
    return phrase(f"battle.lost_{code}" if code else "battle.lost" if lost else "battle.lost_none", ruler=ruler, **args)


def round_lines(account: BattleAccount, one: AccountRound) -> Iterator[Phrase]:
    """What was done in a round, and to whom."""
    if not any((one.strokes, one.losses, one.escapes, one.feats, one.freed, one.hidden)):
        yield phrase("battle.quiet")
    for each in one.hidden:
        code = "battle.emerged" if each.is_out else "battle.being_gone" if each.is_being else "battle.hid"
        figures = _written(_figures(each.figures))
        yield phrase(code, ruler=each.ruler, figures=figures, gf=each.at.gf, cell=each.at.cell)
    yield from _feats(account, one, (SIEGE_HOLDS, HUNGER))
    yield from _magic(one)
    for ruler in account.rulers:
        yield from _feats(account, one, _FEATS, ruler)
        yield from _strokes(one, ruler)
        yield from _climbers(account, one, ruler)
    for loss in one.losses:
        if loss.why == SWUM:
            yield phrase("battle.drowned", ruler=loss.ruler, figures=_written(_figures(loss.figures)))
        if loss.why == FORSAKEN:
            yield phrase("battle.forsaken", ruler=loss.ruler)
        if loss.why == HAZARD:
            yield phrase(
                "battle.hazard",
                ruler=loss.ruler,
                figures=_written(_figures(loss.figures)),
                gf=loss.at.gf,
                cell=loss.at.cell,
            )
    for escape in one.escapes:
        yield phrase("battle.escape", ruler=escape.ruler, figures=_written(_figures(escape.figures)), to=escape.to)
    for ruler, lives in one.wounds:
        yield phrase("battle.wounded", ruler=ruler, lives=lives)
    for band in one.freed:
        args = {"ruler": band.ruler, "by": band.by, "gf": band.at, "count": band.count}
        yield phrase(f"battle.freed_{band.how}", **args)
    for gf, ruler in one.taken:
        yield phrase("battle.taken", ruler=ruler, gf=gf)


def _magic(one: AccountRound) -> Iterator[Phrase]:
    """What wizards and priests did, in order; then what the triples of warriors brought."""
    for each in one.magic:
        args = {"ruler": each.ruler, "foe": each.foe, "gf": each.at.gf, "cell": each.at.cell, "zeh": each.zeh}
        if each.how == SPELL:
            code = "" if each.has_worked else "_broken"
            figures = _written(_figures(each.figures))
            yield phrase(
                f"battle.spell{code}", spell=phrase(f"battle.did_{each.spell}", **args, figures=figures), **args
            )
        elif each.how == PRAYER:
            figures = _written(_figures(each.figures))
            code = each.spell if each.has_worked else "vain"
            yield phrase(f"battle.prayer_{code}", figures=figures, **args)
        elif each.how == GOD:
            figures = _written(_figures(each.figures))
            code = each.spell if each.spell not in STRIKES else "strikes" if figures else "spares"
            code += "_none" if each.spell == QUAKE and not figures else ""
            yield phrase(f"battle.god_{code}", figures=figures, **args)
        elif each.how == GODS_FIGHT:
            first, second = each.dice
            winner = each.ruler if first > second else each.foe
            code = "even" if first == second else "beaten"
            yield phrase(f"battle.gods_{code}", winner=winner, first=first, second=second, **args)
        elif each.how == GOD_CALLED:
            yield phrase(f"battle.call_{each.spell}", **args)
        elif each.how == ARTEFACT:
            yield phrase("battle.artefact_again" if each.foe == each.ruler else "battle.artefact", **args)
        elif each.how in (GOD_LEAVES, WEAK_SPOT):
            yield phrase(f"battle.{each.how}", **args)
        elif each.how in (COUNTER, CHALLENGE, DEFIED, WARDED):
            yield phrase(f"battle.{each.how}_{'works' if each.has_worked else 'vain'}", **args)
    for ruler, fed in dict.fromkeys((each.ruler, each.spell) for each in one.magic if each.how == TRIPLE):
        triples = [each.zeh for each in one.magic if (each.how, each.ruler, each.spell) == (TRIPLE, ruler, fed)]
        code = "battle.triples_mystic" if fed == MYSTIC else "battle.triples"
        yield phrase(code, ruler=ruler, count=len(triples), zeh=sum(triples))


_FEATS = (
    WIND,
    RAMMING,
    SUNK,
    ADRIFT,
    ASCENT,
    GATE,
    ONAGER,
    RAM,
    BREACH,
    RUIN,
    LADDER,
    KNOT,
    ROPE,
    TIP,
    PITCH,
    OVER,
    OVERROLL,
    ABANDONED,
    DESTROY,
)


def _feats(
    account: BattleAccount, one: AccountRound, kinds: Iterable[str], ruler: PowerId | None = None
) -> Iterator[Phrase]:
    """What was done at works, grouped by kind and place."""
    for what in kinds:
        found: dict[tuple[PowerId, str, str, str, str], list[Feat]] = {}
        for feat in one.feats:
            if feat.what == what and ruler in (None, feat.ruler):
                item = feat.item if what in (LADDER, RAM, RAMMING, SUNK, ADRIFT) else ""
                found.setdefault((feat.ruler, feat.at, feat.place, feat.to, item), []).append(feat)
        for (who, gf, place, to, item), feats in found.items():
            worked = sum(feat.has_worked for feat in feats)
            fallen = _written(total(_figures(feat.fallen) for feat in feats))
            args: dict[str, object] = {"ruler": who, "gf": gf, "place": place, "count": len(feats)}
            args |= {"hits": worked, "fallen": fallen}
            args["work"] = _work(account, GfId(gf), place, is_gate=what in (GATE, RAM))
            if what in (SIEGE_HOLDS, HUNGER):
                args["watch"] = tuple(
                    phrase("battle.fallen", ruler=foe, figures=_written(_figures(figures)))
                    for foe, figures in feats[0].watch
                ) or (phrase("battle.besiegers"),)
            if what == DESTROY:
                args["item"] = phrase(_word(to), count=worked or len(feats))
            if what == WIND:
                args["side"] = phrase(f"battle.toward_{to.partition(' ')[0]}")
            if item:
                args["item"] = phrase(_word(item), count=len(feats))
            code = _feat_code(what, to, worked, has_killed=bool(fallen))
            if what == RAM and feats[0].needed == WALL_HIT:
                code = f"mined_{'works' if worked else 'vain'}"
            yield phrase(f"battle.{code}", needed=feats[0].needed, **args)


def _work(account: BattleAccount, gf: GfId, place: str, *, is_gate: bool) -> Phrase:
    """A building, its gate or its wall, or a freestanding wall, in words: `the gate of the tower on 2D+5 KF 19`."""
    number, _, letters = place.partition("/")
    if not letters and number.isdigit():
        return _hold(account, gf, int(number))
    if letters not in Side.__members__ or not number.isdigit():
        return phrase("battle.works_at", gf=gf, cell=number)
    edge = Edge(int(number), Side[letters])
    here = [work for work in account.works if work.at.gf == gf]
    for work in here:
        if work.edge and work.edge in (str(edge), str(edge.other)):
            return phrase("battle.wall_at", work=phrase(f"work.{work.type}"), gf=gf, cell=number, side=_side(edge))
    for work in here:
        for each in (edge, edge.other):
            if each is not None and not work.edge and work.at.cell == each.cell:
                has_gate = is_gate and each.side.name in work.gates
                code = "battle.gate_of" if has_gate else "battle.side_of"
                return phrase(code, work=phrase(f"work.{work.type}"), gf=gf, cell=each.cell, side=_side(each))
    return phrase("battle.works_at", gf=gf, cell=number)


def _side(edge: Edge) -> Phrase:
    return phrase(f"battle.toward_{edge.side.name}")


def _hold(account: BattleAccount, gf: GfId, cell: int) -> Phrase:
    """A building in words: `the tower on 2D+5 KF 19`."""
    types = [work.type for work in account.works if not work.edge and work.at == Spotted(gf, cell)]
    return phrase("battle.hold_at", work=phrase(f"work.{types[0]}" if types else "battle.building"), gf=gf, cell=cell)


def _climbers(account: BattleAccount, one: AccountRound, ruler: PowerId) -> Iterator[Phrase]:
    """Who fought from ladders and ropes, and who got into a building, or onto its platform, in a round."""
    tops = {work.at: WORKS[work.type].storeys for work in account.works if not work.edge and work.has_platform}
    ups = Counter(
        each.end.ground
        for each in one.strokes
        if each.ruler == ruler
        and each.how == MELEE
        and each.start.floor < 0
        and each.end.floor == tops.get(each.end.ground)
    )
    for at, count in ups.items():
        yield phrase("battle.on_ladders", ruler=ruler, count=count, hold=_hold(account, at.gf, at.cell))
    for climb in one.climbs:
        if climb.ruler == ruler:
            code = "battle.climbed" if climb.storey == "P" else "battle.got_in"
            figures = _written(_figures(climb.figures))
            yield phrase(code, ruler=ruler, figures=figures, hold=_hold(account, climb.at.gf, climb.at.cell))


def _feat_code(what: str, to: str, worked: int, *, has_killed: bool) -> str:
    """Which phrase describes a feat."""
    if what == GATE:
        return f"gate_{to}"
    if what in (HUNGER, PITCH, RUIN, OVERROLL):
        return f"{what}_{'kills' if has_killed else 'vain'}"
    if what in (BREACH, LADDER, SUNK, ADRIFT, ABANDONED, KNOT, SIEGE_HOLDS):
        return what
    if what == WIND:
        return f"wind_{to.partition(' ')[2]}"
    if what == ONAGER:
        return "stones_kill" if has_killed else "stones" if worked else "stones_vain"
    if what == TIP and has_killed:
        return "tip_kills"
    return f"{what}_{'works' if worked else 'vain'}"


_ROLLING = "wagon"


def _how(stroke: Stroke) -> str:
    """Which strokes are described together: wagons that trample apart from elephants."""
    return _ROLLING if stroke.how == TRAMPLE and kind_of(stroke.item).code == "QuW" else stroke.how


def _strokes(one: AccountRound, ruler: PowerId) -> Iterator[Phrase]:
    """The blows and shots of a ruler, where most of them fell, and with what result."""
    for how in (ONAGER, SHOT, TRAMPLE, _ROLLING, MELEE):
        strokes = [stroke for stroke in one.strokes if stroke.ruler == ruler and _how(stroke) == how]
        if not strokes:
            continue
        killed: dict[PowerId, Figures] = {}
        for foe, figures in (pair for stroke in strokes for pair in stroke.killed):
            killed[foe] = plus(killed.get(foe, {}), _figures(figures))
        place = Counter(stroke.end for stroke in strokes if stroke.killed or not killed).most_common(1)[0][0]
        foes = tuple(dict.fromkeys(stroke.foe for stroke in strokes))
        fallen = tuple(phrase("battle.fallen", ruler=foe, figures=_written(dead)) for foe, dead in killed.items())
        code = f"battle.{how}_{'kills' if killed else 'vain'}"
        yield phrase(code, ruler=ruler, count=len(strokes), foes=foes, fallen=fallen, gf=place.gf, cell=place.cell)
        own = total(_figures(stroke.lost) for stroke in strokes)
        if own:
            code = "stones_on_own" if how == ONAGER else "struck_down"
            yield phrase(f"battle.{code}", ruler=ruler, figures=_written(own))


def rolls(account: BattleAccount) -> Iterator[Phrase]:
    """Every duel and every shot with its dice, in the order rolled; in each round, those of magic and prayers first."""
    for one in account.rounds:
        for each in one.magic:
            if each.dice:
                by_king = "_king" if each.spell in (KINGS_CAME, KINGS_IN_VAIN) else ""
                yield phrase(
                    f"battle.roll_{each.how}{by_king}",
                    number=one.number,
                    ruler=each.ruler,
                    foe=each.foe,
                    dice=" : ".join(map(str, each.dice)),
                    came=phrase(f"battle.magic_{'works' if each.has_worked else 'vain'}"),
                )
        for stroke in one.rolled or one.strokes:
            if isinstance(stroke, Check):
                yield _check(one.number, stroke)
                continue
            yield phrase(
                f"battle.roll_{stroke.how}",
                number=one.number,
                ruler=stroke.ruler,
                item=stroke.item,
                start=str(stroke.start),
                foe=stroke.foe,
                target=stroke.target,
                end=str(stroke.end),
                dice=" : ".join(_added(stroke)),
                came=phrase(f"battle.came_{_CAME[bool(stroke.killed), bool(stroke.lost)]}"),
            )
        for feat in one.feats:
            if feat.dice:
                yield phrase(
                    f"battle.roll_{feat.what}" if feat.what != ONAGER else "battle.roll_stones",
                    number=one.number,
                    ruler=feat.ruler,
                    item=feat.item,
                    gf=feat.at,
                    place=feat.place,
                    dice=", ".join(map(str, feat.dice)),
                    needed=feat.needed,
                )


def _check(number: int, check: Check) -> Phrase:
    """A roll for dangerous land, or for survival."""
    args = {"number": number, "at": str(check.at), "dice": check.total, "needed": check.needed}
    if not check.item:
        return phrase(f"battle.roll_land_{'safe' if check.is_passed else 'danger'}", **args)
    code = f"battle.roll_life_{'lives' if check.is_passed else 'dies'}"
    return phrase(code, ruler=check.ruler, item=check.item, **args)


def _added(stroke: Stroke) -> Iterator[str]:
    """The dice and the points added: `14+5`; for a shot the dice alone."""
    is_duel = stroke.how in (MELEE, TRAMPLE)
    for number, die in enumerate(stroke.dice):
        points = stroke.points[number] if is_duel and number < len(stroke.points) else 0
        yield f"{die}{points:+d}" if points else f"{die}"


_CAME = {(True, True): "both", (True, False): "kills", (False, True): "dies", (False, False): "vain"}


def turning_points(account: BattleAccount) -> Sequence[AccountRound]:
    """The rounds that decided something, the most decisive first.

    One side lost much more than the other, a trade centre changed hands, or somebody fled.
    """
    found = [(_weight(account, one), one) for one in account.rounds]
    found = [row for row in found if row[0] > 0]
    return [one for _, one in sorted(found, key=lambda row: (-row[0], row[1].number))]


def _weight(account: BattleAccount, one: AccountRound) -> float:
    shares = sorted(_share(account, one, camp) for camp in _weighty(account))
    gap = shares[-1] - shares[0] if len(shares) > 1 else 0.0
    weight = gap if gap >= DECISIVE else 0.0
    return (
        weight + (0.3 if one.taken else 0.0) + (0.2 if one.escapes else 0.0) + (0.01 * sum(shares) if weight else 0.0)
    )


def _cost(one: AccountRound, rulers: Iterable[PowerId]) -> int:
    """What a round cost some rulers, in RE."""
    return sum(worth(_figures(loss.figures)) for loss in one.losses if loss.ruler in rulers)


def _share(account: BattleAccount, one: AccountRound, side: Iterable[PowerId]) -> float:
    """How much of what a side began with it lost in a round."""
    rulers = tuple(side)
    began = sum(worth(_of(ruler, account.start)) for ruler in rulers)
    return _cost(one, rulers) / began if began else 0.0


def _gap(account: BattleAccount, one: AccountRound) -> tuple[tuple[PowerId, ...], tuple[PowerId, ...]]:
    """The camp that lost the largest share in a round, and the one that lost the smallest share."""
    camps = sorted(_weighty(account), key=lambda camp: -_share(account, one, camp))
    return camps[0], camps[-1]


def _weighty(account: BattleAccount) -> Sequence[tuple[PowerId, ...]]:
    """The camps without those that are nothing next to two others: a lone guard's death decides nothing."""
    worths = [sum(worth(_of(ruler, account.start)) for ruler in camp) for camp in account.camps]
    found = [camp for camp, each in zip(account.camps, worths, strict=True) if SMALL * each >= max(worths)]
    return found if len(found) > 1 else account.camps


def _of(ruler: PowerId, stands: Iterable[Stand]) -> Figures:
    found: Figures = {}
    for stand in stands:
        if stand.ruler == ruler:
            found = plus(found, _figures(stand.figures))
    return found


def _figures(text: str) -> Figures:
    return parse_figures(text) or {}


def _written(figures: Figures) -> tuple[Phrase, ...]:
    """Figures in words: `3 lancers`, whatever their class."""
    found = Counter[str]()
    for item in sorted(figures, key=rank_of):
        found[_word(item)] += figures[item]
    return tuple(phrase("battle.figures", count=found[word], what=phrase(word, count=found[word])) for word in found)


def _word(item: str) -> str:
    kind = kind_of(item)
    return f"figure.{kind.weapon if kind.is_warrior else kind.code}"
