"""Simulated tournaments, and a naive second opinion on their tables."""

from taiji.arena.tournaments import (
    Entered,
    Paired,
    PairingResult,
    ResultEntered,
    Tournament,
    TournamentSettings,
    next_round,
)


def simulated(form, count, rng, *, game="taiji:size=7", rounds=None, games=2):
    """Play a whole tournament with random scores."""
    tournament = Tournament(TournamentSettings("simulated", form, game, games=games, rounds=rounds))
    for number in range(count):
        tournament = tournament.after(Entered(f"player {number}", rng.randint(1000, 2200)))
    while not tournament.over:
        tournament = played(tournament.after(Paired(next_round(tournament))), rng)
    return tournament


def played(tournament, rng, forfeits=0.02):
    """Fill in the results that are missing."""
    for number, table in tournament.missing:
        if rng.random() < forfeits:
            result = PairingResult(forfeits=(True, False))
        else:
            result = PairingResult(tuple((rng.randint(4, 24), rng.randint(4, 24)) for _ in range(2)))
            while result.difference == 0 and rng.random() < 0.5:
                result = PairingResult(((rng.randint(4, 24), rng.randint(4, 24)), result.games[1]))
        tournament = tournament.after(ResultEntered(number, table, result))
    return tournament


def naive_table(tournament):
    """Work the standings out again from the records alone, in the plainest way there is."""
    names = [entrant.name for entrant in tournament.entrants]
    points = dict.fromkeys(names, 0.0)
    difference = dict.fromkeys(names, 0)
    met = {name: [] for name in names}
    for number, pairings in enumerate(tournament.rounds, 1):
        for table, pairing in enumerate(pairings, 1):
            one = names[pairing.first - 1]
            if pairing.second is None:
                points[one] += pairing.bye
                met[one].append((None, pairing.bye))
                continue
            two = names[pairing.second - 1]
            result = tournament.results[number, table]
            if result.forfeits != (False, False):
                gained = (float(not result.forfeits[0]), float(not result.forfeits[1]))
                met[one].append((None, gained[0]))
                met[two].append((None, gained[1]))
            else:
                first = sum(game[0] for game in result.games)
                second = sum(game[1] for game in result.games)
                gained = (1.0, 0.0) if first > second else (0.0, 1.0) if second > first else (0.5, 0.5)
                difference[one] += first - second
                difference[two] += second - first
                met[one].append((two, gained[0]))
                met[two].append((one, gained[1]))
            points[one] += gained[0]
            points[two] += gained[1]
    table = {}
    for name in names:
        opponents = [(points[name if other is None else other], gained) for other, gained in met[name]]
        buchholz = sum(theirs for theirs, _ in opponents)
        sonneborn = sum(theirs * gained for theirs, gained in opponents)
        table[name] = (points[name], difference[name], buchholz, sonneborn)
    return table
