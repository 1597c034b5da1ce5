"""Still pictures for the chapters: each function draws one and returns a closed matplotlib Figure.

A closed figure is shown once, as the result of its cell. Only ``table`` and
``mean_and_band`` draw nothing; they give numbers in rows and columns, and one cell of them. Needs
matplotlib; ``import pe_lib`` alone does not load this package.

>>> from pe_lib import plots
>>> len(plots.counter_made_smooth(length=8).axes[0].lines)
9
"""

from pe_lib.plots.arrows import arrows
from pe_lib.plots.attention import attention_maps
from pe_lib.plots.biases import biases_by_distance
from pe_lib.plots.clocks import same_height_twice, turning_directions
from pe_lib.plots.counter import counter_made_smooth
from pe_lib.plots.coverage import directions_seen
from pe_lib.plots.extrapolation import losses_beyond
from pe_lib.plots.layouts import columns_of_pairs
from pe_lib.plots.learned import (
    along_directions,
    loss_by_position,
    rows_for_words,
    table_and_cosines,
)
from pe_lib.plots.maps import heat_map, similarity_map
from pe_lib.plots.orders import chain_beside_net, maps_of_orders
from pe_lib.plots.patches import patch_scores
from pe_lib.plots.recall import found_by_distance
from pe_lib.plots.resolutions import accuracy_by_resolution, pictures
from pe_lib.plots.rotary import number_grids, pairings, terms_by_offset
from pe_lib.plots.seeds import seeds_by_encoding
from pe_lib.plots.slots import positions_in_rows
from pe_lib.plots.slowing import slowed_pairs
from pe_lib.plots.speeds import speeds_beside_copying
from pe_lib.plots.table import mean_and_band, table

__all__ = [
    "accuracy_by_resolution",
    "along_directions",
    "arrows",
    "attention_maps",
    "biases_by_distance",
    "chain_beside_net",
    "columns_of_pairs",
    "counter_made_smooth",
    "directions_seen",
    "found_by_distance",
    "heat_map",
    "loss_by_position",
    "losses_beyond",
    "maps_of_orders",
    "mean_and_band",
    "number_grids",
    "pairings",
    "patch_scores",
    "pictures",
    "positions_in_rows",
    "rows_for_words",
    "same_height_twice",
    "seeds_by_encoding",
    "similarity_map",
    "slowed_pairs",
    "speeds_beside_copying",
    "table",
    "table_and_cosines",
    "terms_by_offset",
    "turning_directions",
]
