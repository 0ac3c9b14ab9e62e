"""Swiss pairings by FIDE's Dutch system, computed by py4swiss."""

from __future__ import annotations

from collections.abc import Sequence, Set

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

_TENTHS = {"1": 10, "+": 10, "U": 10, "F": 10, "=": 5, "H": 5}


def pair(
    cards: Sequence[Sequence[tuple[int, str, str]]], rounds: int, sitting_out: Set[int]
) -> list[tuple[int, int]] | None:
    """Return the pairs of the next round (0 is the bye), or None if no round is possible.

    A card lists a player's rounds as opponent, colour and result; players are numbered from 1 by strength.
    """
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=rank,
            points_times_ten=sum(_TENTHS.get(letter, 0) for _, _, letter in card),
            rank=rank,
            results=[
                RoundResult(id=opponent, color=ColorToken(colour), result=ResultToken(letter))
                for opponent, colour, letter in card
            ],
        )
        for rank, card in enumerate(cards, 1)
    ]
    settings = XSection(number_of_rounds=rounds, zeroed_ids=set(sitting_out))
    try:
        pairings = DutchEngine.generate_pairings(ParsedTrf(player_sections=sections, x_section=settings))
    except PairingError:
        return None
    return [(pairing.white, pairing.black) for pairing in pairings]
