"""Import and export of FIDE's tournament report file, TRF16: one result per round, without scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.events import Created, Entered, Event, Paired, ResultEntered
from taiji.arena.tournaments.models import (
    Adjudication,
    Format,
    Pairing,
    PairingResult,
    TournamentError,
    TournamentSettings,
)
from taiji.arena.tournaments.standings import standings
from taiji.arena.tournaments.swiss import round_cells, seeded

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament

_TYPES = {
    Format.SWISS: "Individual: Swiss-System",
    Format.ROUND_ROBIN: "Individual: Round-Robin",
    Format.DOUBLE_ROUND_ROBIN: "Individual: Double-Round-Robin",
    Format.KNOCKOUT: "Individual: Knock-Out",
    Format.LADDER: "Individual: Ladder",
    Format.MATCH: "Individual: Match",
}
_WON, _DRAWN, _LOST = "1W", "=D", "0L"


def as_trf(tournament: Tournament) -> str:
    """Return the report; white is the player who was Light in game one."""
    settings = tournament.settings
    order = seeded(tournament)
    rank = {entrant_no: position for position, entrant_no in enumerate(order, 1)}
    final = {line.entrant.entrant_no: line for line in standings(tournament)}
    lines = [f"012 {settings.name}", f"062 {len(order)}", f"092 {_TYPES[settings.format]}"]
    if settings.format is Format.SWISS:
        lines.append(f"XXR {tournament.total_rounds}")
    for entrant_no in order:
        entrant, line = tournament.entrant(entrant_no), final[entrant_no]
        cells = "".join(
            f"  {rank[opponent]:4} {colour} {letter}" if opponent else f"  0000 {colour} {letter}"
            for opponent, colour, letter in round_cells(tournament, entrant_no)
        )
        rating = f"{entrant.rating:4}" if entrant.rating else "    "
        lines.append(
            f"001 {rank[entrant_no]:4} {'':4} {entrant.name[:33]:33} {rating} {'':3} {'':11} {'':10} "
            f"{line.points:4.1f} {line.rank:4}{cells}"
        )
    return "\n".join(lines) + "\n"


def events_from_trf(text: str, settings: TournamentSettings | None = None) -> list[Event]:
    """Return the events of the tournament in a report; `settings` give its game."""
    name, kind, rounds = "", "", None
    cards: dict[int, tuple[str, int, list[tuple[int, str, str]]]] = {}
    for line_no, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.rstrip("\r\n")
        try:
            match line[:3]:
                case "012":
                    name = line[4:].strip()
                case "092":
                    kind = line[4:].strip().lower()
                case "XXR":
                    rounds = int(line[4:])
                case "001":
                    number = int(line[4:8])
                    if number in cards:
                        raise TournamentError(f"player {number} is listed twice")
                    cards[number] = (line[14:47].strip(), int(line[48:52].strip() or 0), _cells(line))
        except (ValueError, IndexError) as error:
            raise TournamentError(f"TRF line {line_no}: {error}") from error
    if not cards:
        raise TournamentError("the report has no players (expected lines that begin with 001)")
    if settings is None:
        form = _format_of(kind)
        count = max(rounds or 0, *(len(card[2]) for card in cards.values()))
        settings = TournamentSettings(
            name or "imported", form, "taiji", rounds=count if form is Format.SWISS else None
        )
    order = sorted(cards)
    ids = {number: position for position, number in enumerate(order, 1)}
    events: list[Event] = [Created(settings), *(Entered(cards[n][0], cards[n][1]) for n in order)]
    for number in range(max(len(card[2]) for card in cards.values())):
        round_events = _round(number, cards, ids)
        if not round_events:
            break
        events += round_events
    return events


def rank_changes(text: str, tournament: Tournament) -> list[str]:
    """Return the names of players whose rank in the report differs from that in the imported tournament.

    TRF16 holds results but no scores, so ranks that the points of the games decided cannot be kept.
    """
    reported = {}
    for line in text.removeprefix("\ufeff").splitlines():
        if line.startswith("001"):
            reported[int(line[4:8])] = line[85:89].strip()
    ranks = [reported[number] for number in sorted(reported)]
    return [
        line.entrant.name
        for line in standings(tournament)
        if ranks[line.entrant.entrant_no - 1] not in ("", str(line.rank))
    ]


def _cells(line: str) -> list[tuple[int, str, str]]:
    cells = []
    for start in range(91, len(line), 10):
        text = line[start : start + 8].ljust(8)
        opponent, colour, letter = text[:4].strip(), text[5], text[7].upper()
        cells.append((int(opponent or 0), colour.lower(), letter))
    while cells and cells[-1] == (0, " ", " "):
        cells.pop()
    return cells


def _format_of(kind: str) -> Format:
    if "double" in kind and "round" in kind:
        return Format.DOUBLE_ROUND_ROBIN
    if "round" in kind and "robin" in kind:
        return Format.ROUND_ROBIN
    return Format.KNOCKOUT if "knock" in kind else Format.SWISS


def _round(
    index: int, cards: dict[int, tuple[str, int, list[tuple[int, str, str]]]], ids: dict[int, int]
) -> list[Event]:
    """Return the draw and the results of a round, read from the white side of each pairing."""
    pairings: list[Pairing] = []
    results: list[PairingResult | None] = []
    byes: list[Pairing] = []
    for player, (_, _, cells) in sorted(cards.items()):
        opponent, colour, letter = cells[index] if index < len(cells) else (0, "-", "Z")
        if opponent == 0:
            points = {"U": 1.0, "F": 1.0, "+": 1.0, "H": 0.5}.get(letter)
            if points is not None:
                byes.append(Pairing(ids[player], None, points))
            continue
        other_cells = cards[opponent][2] if opponent in cards else []
        if index >= len(other_cells) or other_cells[index][0] != player:
            raise TournamentError(f"round {index + 1}: players {player} and {opponent} do not agree")
        theirs = other_cells[index]
        if colour == "w" or (colour not in "wb" and player < opponent):
            if theirs[1] == colour == "w":
                raise TournamentError(f"round {index + 1}: players {player} and {opponent} are both white")
            pairings.append(Pairing(ids[player], ids[opponent]))
            results.append(_result(letter, theirs[2], index, player, opponent))
    if not pairings:
        return []
    paired = Paired((*pairings, *byes))
    return [paired, *(ResultEntered(index + 1, t, r) for t, r in enumerate(results, 1) if r is not None)]


def _result(mine: str, theirs: str, index: int, player: int, opponent: int) -> PairingResult | None:
    if mine == " " and theirs == " ":
        return None
    if mine in "+-" and theirs in "+-" and mine + theirs != "++":
        return PairingResult(forfeits=(mine == "-", theirs == "-"))
    for one, two, decision in (
        (_WON, _LOST, Adjudication.FIRST),
        (_DRAWN, _DRAWN, Adjudication.DRAW),
        (_LOST, _WON, Adjudication.SECOND),
    ):
        if mine in one and theirs in two:
            return PairingResult(decision=decision)
    raise TournamentError(
        f"round {index + 1}: the results {mine!r} and {theirs!r} of players {player} and {opponent} disagree"
    )
