"""Round robins by Berger's tables: everybody meets everybody, with the colours shared out evenly."""

from __future__ import annotations

Pair = tuple[int, int]


def berger(count: int) -> list[list[Pair]]:
    """Return the rounds of an even number of players, 1 to `count`; the first of a pair begins as Light.

    The last player stays; the others move half the table on from round to round.
    """
    turning = count - 1
    rounds = []
    for number in range(turning):
        lead = number * (count // 2) % turning
        pairs = [(lead + 1, count) if number % 2 == 0 else (count, lead + 1)]
        for step in range(1, count // 2):
            one, two = (lead + step) % turning, (lead - step) % turning
            pairs.append((one + 1, two + 1))
        rounds.append(pairs)
    return rounds


def double_berger(count: int) -> list[list[Pair]]:
    """Return two cycles, the second with the colours exchanged.

    The last two rounds of the first cycle change places: nobody then begins three times running alike.
    """
    first = berger(count)
    if len(first) > 1:
        first[-2], first[-1] = first[-1], first[-2]
    return [*first, *([(two, one) for one, two in pairs] for pairs in berger(count))]
