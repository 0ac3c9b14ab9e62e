"""Checks a certificate by the rules alone: it knows nothing of the solver or the compiled core."""

from __future__ import annotations

from taiji.analysis.certificates.certificate import (
    Certificate,
    CertificateError,
    Key,
    inverse,
    key_of,
    move_image,
)
from taiji.notation import format_position
from taiji.rules import Placement, Seat, State


def check_certificate(certificate: Certificate) -> int:
    """Play both strategies against every defence; return the number of positions met.

    Raise `CertificateError` if an answer is missing or illegal, or if a game ends below the claim.
    """
    return sum(_check_side(certificate, seat) for seat in Seat)


def _check_side(certificate: Certificate, seat: Seat) -> int:
    """Check that a seat gets the margin against every defence."""
    seen: set[Key] = set()
    waiting = [certificate.game.start()]
    while waiting:
        state = waiting.pop()
        key, image = key_of(state)
        if key in seen:
            continue
        seen.add(key)
        if state.is_over:
            _check_end(certificate, seat, state)
        elif state.seat_to_move is seat:
            waiting.append(state.play(_answer(certificate, seat, state, key, image)))
        else:
            waiting += [state.play(move) for move in state.legal()]
    return len(seen)


def _answer(
    certificate: Certificate, seat: Seat, state: State, key: Key, image: tuple[int, ...]
) -> Placement:
    text = certificate.answers[seat].get(key)
    if text is None:
        raise CertificateError(f"{format_position(state)}: no answer of seat {seat.name.lower()}")
    try:
        move = certificate.game.parse(text)
    except ValueError as error:
        raise CertificateError(f"{format_position(state)}: {error}") from error
    if not isinstance(move, Placement):
        raise CertificateError(f"{format_position(state)}: {move} is not a placement")
    answer = move_image(certificate.game, move, inverse(image))
    if not state.is_legal(answer):
        raise CertificateError(f"{format_position(state)}: the answer {answer} is not legal")
    return answer


def _check_end(certificate: Certificate, seat: Seat, state: State) -> None:
    outcome = state.outcome()
    assert outcome is not None, "the game is over"
    margin = outcome.scores.first - outcome.scores.second
    if margin < certificate.margin if seat is Seat.FIRST else margin > certificate.margin:
        raise CertificateError(
            f"{format_position(state)}: ends with {margin:+g} (claimed {certificate.margin:+g})"
        )
