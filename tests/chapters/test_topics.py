"""Every known topic of the subject has its cell in the course.

`topics.csv` has a row for each topic, as `places.py` describes it: what it is about stands in the
column `topic`. The groups are numbered as those of `corrections.csv`.
"""

import pytest

from tests.chapters.places import Row, fault_of, ids_of, rows_of

# How many there are of each group: S0-1 to S0-50, and so on.
KNOWN = {"S0": 50, "S1": 36, "S2": 188, "S3": 53, "S4": 16}
ROWS = rows_of("topics.csv")


def test_every_known_topic_has_its_row():
    assert [row["id"] for row in ROWS] == ids_of(KNOWN)
    assert all(row["topic"] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_topic_is_taught(row: Row):
    assert fault_of(row) is None
