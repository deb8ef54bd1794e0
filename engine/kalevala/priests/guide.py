"""What temples could be used for, as complete orders for the guided flow, likeliest first. Source: rules 20.1"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.kalevala.agents.facts import NEAR, RULER
from engine.kalevala.board import others
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY
from engine.kalevala.orders import Whole
from engine.kalevala.priests.facts import ORACLE_PRICES, RE_FOR_ZEH, is_priest
from engine.kalevala.priests.orders import Gift, Oracle, Pray
from engine.kalevala.steps.temples import treasure_at, treasuries

_AMOUNTS = (10, 20, 5, 40)


def orders_of(counsel: Counsel) -> Whole:
    """Gifts, prayers for ZEH, questions."""
    for at in temples(counsel):
        have, money = treasure_at(counsel.trial, at), counsel.trial.stack(counsel.ruler, at).get(MONEY, 0)
        for amount in _upto(money):
            yield from counsel.tried(Gift(at, amount), "temple_gift", place=at, count=amount)
        if any(map(is_priest, counsel.trial.stack(counsel.ruler, at))):
            for amount in [each for each in _upto(have - have % RE_FOR_ZEH) if each % RE_FOR_ZEH == 0]:
                zeh = amount // RE_FOR_ZEH
                yield from counsel.tried(Pray(at, "", amount), "temple_pray", place=at, count=amount, zeh=zeh)
        for question, price in ORACLE_PRICES.items():
            for about in _abouts(counsel, at, question) if price <= have else ():
                args = {"place": at, "count": price, "about": counsel.say(f"oracle_{question}", about=about)}
                yield from counsel.tried(Oracle(at, price, question, about), "temple_ask", **args)


def _upto(most: int) -> Iterable[int]:
    """A few amounts up to this one, and all of it."""
    return dict.fromkeys(each for each in (*(min(each, most) for each in _AMOUNTS), most) if each)


def _abouts(counsel: Counsel, at: Province, question: str) -> Iterator[str]:
    """Rulers, or great fields around the temple; foreign land that is known comes first."""
    if question == RULER:
        yield from others(counsel.state, counsel.ruler)
        return
    near = list(neighbours_of(gf_of(at)))
    far = [gf for each in near for gf in neighbours_of(each)]
    own = {gf_of(place) for place in counsel.state.owned(counsel.ruler)}
    found = [gf for gf in dict.fromkeys((*near, *far)) if gf not in own]
    if question == NEAR:
        found = [gf_of(at), *found]
    yield from found


def temples(counsel: Counsel) -> Iterator[Province]:
    """The viewer's provinces with a finished temple."""
    return (at for at in counsel.state.owned(counsel.ruler) if treasuries(counsel.trial, at))
