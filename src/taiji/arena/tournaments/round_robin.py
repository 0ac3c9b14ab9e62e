"""Round robins by Berger tables, with balanced colours."""

from __future__ import annotations

Pair = tuple[int, int]


def berger(count: int) -> list[list[Pair]]:
    """Return the rounds for an even number of players, 1 to `count`; the first of a pair is Light.

    The last player stays; the others rotate by half the table from round to round.
    """
    turning = count - 1
    rounds = []
    for round_index in range(turning):
        lead = round_index * (count // 2) % turning
        pairs = [(lead + 1, count) if round_index % 2 == 0 else (count, lead + 1)]
        for step in range(1, count // 2):
            one, two = (lead + step) % turning, (lead - step) % turning
            pairs.append((one + 1, two + 1))
        rounds.append(pairs)
    return rounds


def double_berger(count: int) -> list[list[Pair]]:
    """Return two cycles, the second with colours exchanged.

    The last two rounds of the first cycle are swapped, so that no player has one colour three times in a row.
    """
    first = berger(count)
    if len(first) > 1:
        first[-2], first[-1] = first[-1], first[-2]
    return [*first, *([(two, one) for one, two in pairs] for pairs in berger(count))]
