"""A battle in pictures: before, at its turning points, after, and all its rounds as a film.

The land is drawn as the viewer knew it when the battle began; everybody who took part saw who stood where. Source:
rules 31
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import compress
from operator import not_

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.telling import Album
from engine.kalevala.battle.course import BREACH, MELEE, ONAGER, RAM, RUIN, TRAMPLE, Spotted
from engine.kalevala.battle.works import WALL_HIT
from engine.kalevala.board import variant_of
from engine.kalevala.coordinates import GfId, coordinate_of
from engine.kalevala.figures import kind_of, parse_figures
from engine.kalevala.info import SYSTEM
from engine.kalevala.land import land_of
from engine.kalevala.model import View
from engine.kalevala.scene import GROUNDS, bare_field
from engine.kalevala.sea.craft import is_craft
from engine.kalevala.telling import tale
from engine.kalevala.telling.account import AccountRound, BattleAccount, Stand
from engine.kalevala.telling.reading import accounts_of
from engine.lattice.great_fields import CELL, Side, tile_of
from engine.lattice.hexes import CORNER, Hexes, Top
from engine.lattice.tiling import Box, TileId, Tiling
from engine.pictures.film import Film, Frame
from engine.pictures.site import (
    Blow,
    Damage,
    Fallen,
    Figurine,
    Flight,
    SiteCell,
    SiteScene,
    SiteSide,
    SiteSign,
    box_around,
    middle_of,
)

MOST_TURNS = 2
"""Pictures between the first and the last."""
_BEFORE_S, _ROUND_S, _AFTER_S = 2.0, 2.4, 5.0
_BESIDE, _LEAST = 1.7 * CELL, 7 * CELL
"""How much is shown around those who take part, and how much at least."""
_SLIMMEST = 1.0
"""The least width over height: a preview has room for more beside a high part, and fields are not cut off there."""
_PREVIEW_SHAPE = 1.5
"""Width over height of the preview that a chat shows."""
_FEW, _WORTH = 0.1, 1.15
"""The share of all figures that a picture may leave out, and how much larger the others must become."""
_ROLES = ("attackers", "defenders")


def albums(view: View, events: Sequence[Event]) -> tuple[Album, ...]:
    """The battles of a window that has closed, for those who took part."""
    return tuple(
        Album(
            phrase("battle.title", place=account.id),
            tuple(tale.story(account)),
            (*pictures(view, account), *_film_of(view, account)),
        )
        for account in accounts_of(events)
    )


def _film_of(view: View, account: BattleAccount) -> tuple[Film, ...]:
    """For a single round the pictures show everything."""
    return (film(view, account),) if len(account.rounds) > 1 else ()


def pictures(view: View, account: BattleAccount) -> tuple[SiteScene, ...]:
    """The site before, at the turning points, and after; each says in words what it shows."""
    base = _site(view, account)
    turns = sorted(tale.turning_points(account)[:MOST_TURNS], key=lambda each: each.number)
    shown = (_before(base, account), *(_at_round(base, account, each) for each in turns), _after(base, account))
    return tuple(map(_close_up, shown))


def film(view: View, account: BattleAccount) -> Film:
    """All rounds, one after the other."""
    base = _site(view, account)
    steps = [Frame(_before(base, account), _BEFORE_S)]
    steps += [Frame(_at_round(base, account, each), _ROUND_S) for each in account.rounds]
    steps.append(Frame(_after(base, account), _AFTER_S))
    return Film(base.system, base.variant, base.title, tuple(steps), viewer=view.viewer)


def plan(
    view: View, gf: Iterable[GfId], first: PowerId, stands: Iterable[Stand], title: Phrase, about: Sequence[Phrase]
) -> SiteScene:
    """A site before a battle, with every small field numbered: who would stand where.

    Args:
        first: who attacks.
    """
    fields, placed = tuple(gf), tuple(stands)
    foes = tuple(dict.fromkeys(stand.ruler for stand in placed if stand.ruler != first))
    account = BattleAccount(fields[0], fields, ((first,), foes), start=placed)
    return _moment(_site(view, account, is_whole=True), title, placed, about=tuple(about))


def _before(base: SiteScene, account: BattleAccount) -> SiteScene:
    about = (tale.opening(account), *tale.storeys(account.start))
    return _moment(base, phrase("battle.before"), account.start, damages=_damages(account, 0), about=about)


def _after(base: SiteScene, account: BattleAccount) -> SiteScene:
    damages = _damages(account, len(account.rounds))
    return _moment(base, phrase("battle.after"), account.end, damages=damages, about=tuple(tale.ending(account)))


def _at_round(base: SiteScene, account: BattleAccount, one: AccountRound) -> SiteScene:
    blows = [
        Blow(
            stroke.ruler,
            _cell(stroke.start),
            _cell(stroke.end),
            stroke.how not in (MELEE, TRAMPLE),
            bool(stroke.killed),
        )
        for stroke in one.strokes
    ]
    fallen = Counter[tuple[str, Spotted]]()
    for loss in one.losses:
        fallen[loss.ruler, loss.at] += sum((parse_figures(loss.figures) or {}).values())
    return _moment(
        base,
        phrase("battle.at_round", number=one.number),
        one.stands,
        blows,
        [
            Fallen(loss.ruler, _cell(loss.at), fallen.pop((loss.ruler, loss.at)))
            for loss in one.losses
            if (loss.ruler, loss.at) in fallen
        ],
        [Flight(each.ruler, _cell(each.at), _tile(each.to), each.figures) for each in one.escapes],
        damages=_damages(account, one.number),
        about=(*tale.round_lines(account, one), *tale.storeys(one.stands)),
    )


def _moment(
    base: SiteScene,
    title: Phrase,
    stands: Iterable[Stand],
    blows: Iterable[Blow] = (),
    fallen: Iterable[Fallen] = (),
    flights: Iterable[Flight] = (),
    *,
    damages: tuple[Damage, ...] = (),
    about: tuple[Phrase, ...] = (),
) -> SiteScene:
    return replace(
        base,
        title=title,
        tokens=tuple(map(_token, stands)),
        blows=tuple(blows),
        fallen=tuple(fallen),
        flights=tuple(flights),
        damages=damages,
        about=about,
    )


def _token(stand: Stand) -> Figurine:
    """The most common figures in large letters; riders, other kinds of figures, and craft with the rest of those
    aboard, below.
    """
    figures = parse_figures(stand.figures) or {}
    warriors = [item for item in figures if kind_of(item).is_warrior]
    first = max(warriors or figures, key=lambda item: figures[item], default="")
    rest = [_counted(figures[item], item) for item in figures if item != first]
    more = rest[0] if len(rest) == 1 else f"+{sum(figures.values()) - figures[first]}" if rest else ""
    craft = [kind_of(item).code for item in figures if is_craft(item) and item != first]
    if craft:  # one on a field (ruling KA106)
        aboard = sum(figures.values()) - figures[first] - len(craft)
        more = " ".join((*craft, *([f"+{aboard}"] if aboard else ())))
    text = _counted(figures[first], first) if first else "?"
    count = sum(figures.values())
    return Figurine(stand.ruler, _cell(stand.at), text, more, stand.is_phalanx, stand.storey, count)


def _counted(count: int, item: str) -> str:
    """`4LB`; an onager's letter is set apart from the number, since `1On` would be read as a ten."""
    code = item.partition("/")[0]
    return f"{count}{' ' if code.startswith('O') else ''}{code}"


def _damages(account: BattleAccount, rounds: int) -> tuple[Damage, ...]:
    """What works have suffered up to the end of a round."""
    hits = Counter({(work.at.gf, f"{work.at.cell}"): work.hits for work in account.works if not work.edge})
    broken: dict[tuple[GfId, str], None] = {}
    ruined: set[tuple[GfId, str]] = set()
    for one in account.rounds[:rounds]:
        for feat in one.feats:
            place = feat.at, feat.place
            if feat.what == ONAGER and feat.has_worked:
                hits[place] += 1
            elif feat.what == RAM and feat.has_worked and feat.needed == WALL_HIT:
                at = feat.at, feat.place.partition("/")[0]
                hits[at if at in hits else place] += 1
            elif feat.what == BREACH or (feat.what == RAM and feat.has_worked):
                broken[place] = None
            elif feat.what == RUIN:
                ruined.add(place)
    found = [
        Damage((_tile(gf), int(cell)), f"{count}") for (gf, cell), count in hits.items() if count and "/" not in cell
    ]
    for gf, edge in broken:
        cell, _, side = edge.partition("/")
        if side and (gf, cell) not in ruined:
            found.append(Damage((_tile(gf), int(cell)), side=Side[side]))
    return tuple(found)


# --- The site -----------------------------------------------------------------------------------------------


def _site(view: View, account: BattleAccount, *, is_whole: bool = False) -> SiteScene:
    state = view.state
    land, variant = land_of(state), variant_of(state)
    tiles = {_tile(gf): bare_field(land, gf) for gf in account.gf}
    board = Hexes(frozenset(tiles), Top.FLAT)
    cells = list(dict.fromkeys(_cells(account)))
    return SiteScene(
        system=SYSTEM,
        variant=variant.id,
        title=phrase("battle.title", place=account.id),
        viewer=view.viewer,
        board=board,
        tiles=tiles,
        powers=tuple(variant.powers.values()),
        is_in_fog=True,
        grounds=GROUNDS,
        box=_box(board, tiles, [] if is_whole else cells),
        tag=account.id,
        sides=tuple(_sides(account)),
        signs=tuple(SiteSign(kind, phrase(f"battle.sign_{kind}")) for kind in _signs(account)),
    )


def _signs(account: BattleAccount) -> Iterator[str]:
    """What a moment of the battle shows apart from tokens and arrows."""
    moments = (account.start, account.end, *(each.stands for each in account.rounds))
    storeys = {stand.storey for stands in moments for stand in stands}
    damages = _damages(account, len(account.rounds))
    yield from (kind for storey, kind in (("P", "platform"), ("I", "inside")) if storey in storeys)
    yield from ("hits",) if any(damage.side is None for damage in damages) else ()
    yield from ("broken",) if any(damage.side is not None for damage in damages) else ()
    yield from ("fallen",) if any(each.losses for each in account.rounds) else ()


def _sides(account: BattleAccount) -> Iterator[SiteSide]:
    """Who attacks and who defends; attackers who fight each other are named one by one."""
    roles = {ruler: number for number, rulers in enumerate(account.sides) for ruler in rulers}
    for camp in account.camps:
        number = roles[camp[0]]
        role = _ROLES[number] if number < len(_ROLES) else "others"
        yield SiteSide(role, camp, phrase(f"battle.{role}", rulers=camp))


def _close_up(moment: SiteScene) -> SiteScene:
    """The part of the site where something happens in this moment: a film shows the same part all the time.

    A few figures far off, where nothing happens, are listed instead, if the others can be shown larger.
    """
    signs: tuple[Fallen | Flight | Damage, ...] = (*moment.fallen, *moment.flights, *moment.damages)
    busy = {sign.at for sign in signs}.union(*({blow.start, blow.end} for blow in moment.blows))
    crowds = Counter[SiteCell]()
    for token in moment.tokens:
        crowds[token.at] += token.count
    if not busy and not crowds:
        return moment

    def box_of(cells: Iterable[SiteCell]) -> Box:
        return _box(moment.board, moment.tiles, [*busy, *cells])

    spare = crowds.total() * _FEW
    kept = set(crowds)
    while True:
        box = box_of(kept)
        found = [
            (_zoom(box_of(kept - off)) / _zoom(box), off)
            for off in _outermost(moment.board, kept - busy)
            if 0 < sum(crowds[at] for at in off) <= spare and (busy or kept > off)
        ]
        gain, off = max(found, key=lambda each: (each[0], -len(each[1])), default=(0.0, frozenset()))
        if gain < _WORTH:
            break
        spare -= sum(crowds[at] for at in off)
        kept -= off
    inside = [token.at in kept or token.at in busy for token in moment.tokens]
    return replace(
        moment,
        box=box,
        tokens=tuple(compress(moment.tokens, inside)),
        beyond=tuple(compress(moment.tokens, map(not_, inside))),
    )


def _outermost(board: Tiling, cells: Set[SiteCell]) -> Iterator[frozenset[SiteCell]]:
    """The one to three cells that are farthest to each side."""
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
        ranked = sorted(cells, key=lambda cell: (middle_of(board, cell)[axis] * sign, cell))
        yield from (frozenset(ranked[:count]) for count in range(1, min(3, len(ranked)) + 1))


def _zoom(box: Box) -> float:
    """How large a part of the plane appears in the preview, for comparison with other parts."""
    left, top, right, bottom = box
    return min(_PREVIEW_SHAPE / (right - left), 1 / (bottom - top))


def _box(board: Tiling, tiles: Iterable[TileId], cells: list[SiteCell]) -> Box:
    """The part of the site where something happens, or all of it if that is hardly larger."""
    middles = [board.middle(at) for at in sorted(tiles)]
    rim = 0.5 * CELL
    left, top = min(x for x, _ in middles) - CORNER - rim, min(y for _, y in middles) - 0.5 - rim
    right, bottom = max(x for x, _ in middles) + CORNER + rim, max(y for _, y in middles) + 0.5 + rim
    if not cells:
        return left, top, right, bottom
    west, north, east, south = box_around(board, cells, _BESIDE, _LEAST)
    top, bottom = max(top, north), min(bottom, south)
    wider = max(0.0, (bottom - top) * _SLIMMEST - (east - west)) / 2
    return max(left, west - wider), top, min(right, east + wider), bottom


def _cells(account: BattleAccount) -> Iterator[SiteCell]:
    """The cells where anybody is at any time."""
    for stands in (account.start, account.end, *(each.stands for each in account.rounds)):
        yield from (_cell(stand.at) for stand in stands)
    for one in account.rounds:
        yield from (_cell(loss.at) for loss in one.losses)
        yield from (_cell(escape.at) for escape in one.escapes)


def _cell(at: Spotted) -> SiteCell:
    return _tile(at.gf), at.cell


def _tile(gf: str) -> TileId:
    return tile_of(coordinate_of(GfId(gf)).field)
