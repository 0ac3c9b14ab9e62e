"""Addresses of a Ray cluster; apart from the tests with a pool, which keeps Ray running in the process."""

import pytest

pytest.importorskip("ray")

from taiji.arena.ray_pool import ClusterUnavailable, RayPool

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize(
    "address", ["127.0.0.1:1", "ray://127.0.0.1:1", "nowhere.invalid:6379", "127.0.0.1:port"]
)
def test_an_address_where_nobody_listens_is_refused_at_once(address):
    with pytest.raises(ClusterUnavailable, match="no Ray at"):
        RayPool(address)
