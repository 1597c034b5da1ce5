"""picture_positions (chapter 07): answers in many styles."""

import numpy as np
import torch


def positions_torch(text_before, height, width, text_after):
    text = torch.arange(text_before + max(height, width) + text_after).repeat(3, 1)
    rows = torch.arange(height).repeat_interleave(width)
    columns = torch.arange(width).repeat(height)
    picture = torch.stack((torch.zeros_like(rows), rows, columns)) + text_before
    second = text[:, text_before + max(height, width) :]
    return torch.cat((text[:, :text_before], picture, second), dim=1)


def positions_numpy(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    after = picture.max() + 1
    first, second = np.arange(text_before), np.arange(after, after + text_after)
    return np.hstack((np.tile(first, (3, 1)), picture, np.tile(second, (3, 1))))


def positions_loops(text_before, height, width, text_after):
    tokens = [(t, t, t) for t in range(text_before)]
    for row in range(height):
        for column in range(width):
            tokens.append((text_before, text_before + row, text_before + column))
    following = 1 + max(max(token) for token in tokens)
    tokens += [(t, t, t) for t in range(following, following + text_after)]
    return torch.tensor(tokens).T


def positions_filled(text_before, height, width, text_after):
    """float32, filled in."""
    end = text_before + height * width
    positions = torch.zeros(3, end + text_after)
    positions[:, :text_before] = torch.arange(text_before)
    positions[:, text_before:end] = text_before
    grid = positions[:, text_before:end].view(3, height, width)
    grid[1] += torch.arange(height)[:, None]
    grid[2] += torch.arange(width)
    positions[:, end:] = torch.arange(text_after) + text_before + max(height, width)
    return positions


RIGHT = [positions_torch, positions_numpy, positions_loops, positions_filled]
