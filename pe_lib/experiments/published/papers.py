"""The papers whose numbers are in the table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """What a paper is cited by.

    Attributes:
        authors: their family names.
        year: of its preprint.
        title: as arXiv lists it.
        arxiv: its number there.
    """

    authors: str
    year: int
    title: str
    arxiv: str

    @property
    def url(self) -> str:
        """Where it can be read.

        Example:
            >>> PAPERS["Press 2021"].url
            'https://arxiv.org/abs/2108.12409'
        """
        return f"https://arxiv.org/abs/{self.arxiv}"


PAPERS = {
    "Press 2021": Paper(
        "Press, Smith, Lewis",
        2021,
        "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
        "2108.12409",
    ),
    "Haviv 2022": Paper(
        "Haviv, Ram, Press, Izsak, Levy",
        2022,
        "Transformer Language Models without Positional Encodings Still Learn Positional "
        "Information",
        "2203.16634",
    ),
    "Kazemnejad 2023": Paper(
        "Kazemnejad, Padhi, Natesan Ramamurthy, Das, Reddy",
        2023,
        "The Impact of Positional Encoding on Length Generalization in Transformers",
        "2305.19466",
    ),
    "Chen 2023": Paper(
        "Chen, Wong, Chen, Tian",
        2023,
        "Extending Context Window of Large Language Models via Positional Interpolation",
        "2306.15595",
    ),
    "Peng 2023": Paper(
        "Peng, Quesnelle, Fan, Shippole",
        2023,
        "YaRN: Efficient Context Window Extension of Large Language Models",
        "2309.00071",
    ),
}
