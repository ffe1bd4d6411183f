"""All tables of streams, one after the other."""

from bench.measure import Section
from bench.servers import Servers
from bench.streams import breaks, idle, latency
from bench.streams.plan import Plan
from bench.streams.progress import wipe
from bench.streams.scene import Scene

# When a move was committed is asked of the database.
SETTINGS = ("track_commit_timestamp = on",)


def measure(servers: Servers, plan: Plan) -> list[Section]:
    """The tables of idle streams, of latencies, of breaks."""
    scene = Scene(servers, plan)
    sections = [idle.measure(scene), latency.measure(scene), breaks.measure(scene)]
    wipe()
    return sections
