"""Still pictures for the chapters: each function draws one and returns a closed matplotlib Figure.

A closed figure is shown once, as the result of its cell. Needs matplotlib; ``import pe_lib`` alone
does not load this package.

>>> from pe_lib import plots
>>> len(plots.counter_beside_waves(length=8).axes)
2
"""

from pe_lib.plots.arrows import arrows
from pe_lib.plots.attention import attention_maps
from pe_lib.plots.clocks import turning_directions
from pe_lib.plots.counter import counter_beside_waves
from pe_lib.plots.coverage import directions_seen
from pe_lib.plots.maps import heat_map, similarity_map
from pe_lib.plots.orders import chain_beside_net, maps_of_orders

__all__ = [
    "arrows",
    "attention_maps",
    "chain_beside_net",
    "counter_beside_waves",
    "directions_seen",
    "heat_map",
    "maps_of_orders",
    "similarity_map",
    "turning_directions",
]
