"""How the papers are cited."""

import re

from pe_lib.experiments.published import PAPERS, published


def test_a_paper_is_named_by_its_first_author_and_its_year():
    for name, paper in PAPERS.items():
        first = paper.authors.split(",")[0]
        assert name == f"{first} {paper.year}"


def test_every_paper_has_a_title_an_id_and_numbers():
    for name, paper in PAPERS.items():
        assert len(paper.title) > 20 and paper.title.strip() == paper.title
        assert re.fullmatch(r"\d{4}\.\d{5}", paper.arxiv)
        assert paper.url == f"https://arxiv.org/abs/{paper.arxiv}"
        lengths, values = published(name)
        assert lengths and values
    assert len({paper.arxiv for paper in PAPERS.values()}) == len(PAPERS)


def test_an_id_begins_with_the_year_of_the_first_version():
    for paper in PAPERS.values():
        assert 0 <= paper.year - (2000 + int(paper.arxiv[:2])) <= 1
