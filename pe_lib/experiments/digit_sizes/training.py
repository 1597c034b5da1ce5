"""The trainings that are recorded, and what is measured at their ends."""

import torch
from jaxtyping import Float32
from torch import Generator, Tensor
from torch.nn import functional as F

from pe_lib.experiments import digits
from pe_lib.experiments.digit_sizes.record import Shares
from pe_lib.experiments.engine.chance import seeded
from pe_lib.experiments.engine.runs import Setting
from pe_lib.experiments.engine.training import descend
from pe_lib.experiments.pictures import CLASSES, SIDE, Pictures, enlarged
from pe_lib.experiments.resolutions.measuring import read
from pe_lib.model import VisionTransformer

SUMMARY = "digits in one size or in many, read at twice the resolution: twenty minutes"
PAGE = 16  # patches of one pixel
SEEN = {"one size": (8,), "many sizes": (8, 10, 12, 14, 16)}  # patches a side of a digit
FINER = 2  # how many times as many rows and columns the larger page has
SETTING = Setting("digit-sizes", 48, 2, 4, batch=32, steps=1200)
LEARNING_RATE, SEEDS = 2e-3, (0, 1, 2, 3, 4)
SETTINGS = {
    "page": f"{PAGE} x {PAGE} patches, and {FINER} times as many rows and columns",
    "digits": {seen: list(sizes) for seen, sizes in SEEN.items()},
    "model": f"VisionTransformer, {SETTING.num_layers} layers, {SETTING.num_heads} heads, rope2d",
    "training": f"Adam, learning rate {LEARNING_RATE}, {SETTING.steps} steps of {SETTING.batch}",
    "seeds": list(SEEDS),
}


def on_pages(
    images: Float32[Tensor, "n 1 side side"],
    sizes: tuple[int, ...],
    chance: Generator,
    finer: int = 1,
) -> Float32[Tensor, "n 1 page page"]:
    """Each picture in a random size, at a random place of a white page.

    Args:
        images: the pictures.
        sizes: patches a side of a picture, of which each is as likely.
        chance: draws sizes and places, the same for every ``finer``.
        finer: how many times as many rows and columns of patches show the same page.

    Example:
        >>> pages = on_pages(torch.ones(40, 1, 8, 8), (8, 16), Generator().manual_seed(0), finer=2)
        >>> pages.shape, pages.mean(dim=(1, 2, 3)).unique()
        (torch.Size([40, 1, 32, 32]), tensor([0.2500, 1.0000]))
    """
    pages = torch.zeros(len(images), 1, PAGE * finer, PAGE * finer)
    for image, page in zip(images, pages, strict=True):
        size = sizes[int(torch.randint(len(sizes), (), generator=chance))]
        row, column = (finer * torch.randint(PAGE - size + 1, (2,), generator=chance)).tolist()
        side = size * finer
        page[:, row : row + side, column : column + side] = enlarged(image[None], side)[0]
    return pages


def trained(sizes: tuple[int, ...], seed: int, steps: int) -> VisionTransformer:
    """A model that has learned digits in these sizes."""
    s, chance = SETTING, Generator().manual_seed(seed)
    with seeded(seed):
        model = VisionTransformer(
            CLASSES, s.dim, s.num_layers, s.num_heads,
            image_size=PAGE, patch_size=1, position="rope2d",
        )  # fmt: skip
    images, labels = digits.training_pictures()
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for step in range(steps):
        batch = torch.randint(len(labels), (s.batch,), generator=chance)
        logits = model(on_pages(images[batch], sizes, chance))
        rate = LEARNING_RATE * s.rate_factor(step)
        descend(F.cross_entropy(logits, labels[batch]), step, model, optimizer, rate)
    return model.eval()


def tests(count: int | None = None) -> dict[str, tuple[Pictures, bool]]:
    """What is read, as in ``read_record``: pages with digits of the smallest size, and whether
    their positions are stretched. ``count`` digits, or all that no training has seen."""
    images, labels = (part[:count] for part in digits.unseen_pictures())

    def pages(finer: int) -> Pictures:
        return on_pages(images, (SIDE,), Generator().manual_seed(1), finer), labels

    return {
        "page": (pages(1), False),
        "continued": (pages(FINER), False),
        "stretched": (pages(FINER), True),
    }


def run(
    steps: int = SETTING.steps, seeds: tuple[int, ...] = SEEDS, count: int | None = None
) -> Shares:
    """Train all models, and say how many digits they read right; it says how far it is."""
    asked = tests(count)
    shares: Shares = {}
    for seen, sizes in SEEN.items():
        found = []
        for seed in seeds:
            model = trained(sizes, seed, steps)
            found.append(
                [read(model, pages, resized=resized)[0] for pages, resized in asked.values()]
            )
            print(f"{seen}, seed {seed}:", *(f"{share:.2f}" for share in found[-1]), flush=True)
        columns = torch.tensor(found, dtype=torch.float64).T
        shares[seen] = dict(zip(asked, columns, strict=True))
    return shares
