"""The streams that the web reducer is compared on hold every event, and lead from snapshot to final table."""

from __future__ import annotations

from collections import Counter

from taiji.server.contract.event_frames import TABLE_EVENT
from tests.server.event_streams import streams


def test_every_event_occurs_in_the_streams() -> None:
    counted: Counter[str] = Counter()
    for stream in streams(0, 60):
        counted.update(event["event_type"] for event in stream["events"])
    assert set(counted) == set(TABLE_EVENT)


def test_versions_lead_from_the_snapshot_to_the_final_table() -> None:
    for stream in streams(0, 20):
        versions = [event["version"] for event in stream["events"]]
        assert versions == list(range(stream["snapshot"]["version"] + 1, stream["final"]["version"] + 1))
