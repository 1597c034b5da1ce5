"""picture_positions (chapter 07): answers in many styles, right and wrong ones."""

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


def built(text_before, picture, after, text_after):
    """Two texts around any picture."""
    texts = np.arange(text_before), np.arange(text_after) + after
    return np.hstack((np.tile(texts[0], (3, 1)), picture, np.tile(texts[1], (3, 1))))


def counted_by_length(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    return built(text_before, picture, text_before + picture.shape[1], text_after)


def counted_by_rows(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    return built(text_before, picture, text_before + height, text_after)


def forgot_the_one(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    return built(text_before, picture, picture.max(), text_after)


def one_more(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    return built(text_before, picture, text_before + max(height, width) + 1, text_after)


def time_passes(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    picture[0] += np.arange(height * width)
    return built(text_before, picture, picture.max() + 1, text_after)


def time_passes_for_the_picture_alone(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    picture[0] += np.arange(height * width)
    return built(text_before, picture, text_before + max(height, width), text_after)


def picture_by_itself(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1)
    return built(text_before, picture, text_before + max(height, width), text_after)


def rows_by_themselves(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1)
    picture[0] += text_before
    return built(text_before, picture, text_before + max(height, width), text_after)


def rows_by_themselves_and_largest(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1)
    picture[0] += text_before
    after = max(text_before - 1, picture.max()) + 1
    return built(text_before, picture, max(after, text_before + 1), text_after)


def swapped(text_before, height, width, text_after):
    time, row, column = np.indices((1, height, width)).reshape(3, -1) + text_before
    picture = np.stack((time, column, row))
    return built(text_before, picture, text_before + max(height, width), text_after)


def a_line(text_before, height, width, text_after):
    return torch.arange(text_before + height * width + text_after).expand(3, -1)


def text_in_time(text_before, height, width, text_after):
    positions = positions_numpy(text_before, height, width, text_after)
    positions[1:, :text_before] = positions[1:, text_before + height * width :] = 0
    return positions


def grid(x, y, start):
    """Time, height and width of these columns and rows."""
    return np.stack((0 * x, y, x)) + start


def row_by_height(text_before, height, width, text_after):
    n = np.arange(height * width)
    picture = grid(n % width, n // height, text_before)
    return built(text_before, picture, text_before + max(height, width), text_after)


def row_by_height_and_largest(text_before, height, width, text_after):
    n = np.arange(height * width)
    picture = grid(n % width, n // height, text_before)
    return built(text_before, picture, picture.max() + 1, text_after)


def column_by_height(text_before, height, width, text_after):
    n = np.arange(height * width)
    picture = grid(n % height, n // width, text_before)
    return built(text_before, picture, text_before + max(height, width), text_after)


def column_by_height_and_largest(text_before, height, width, text_after):
    n = np.arange(height * width)
    picture = grid(n % height, n // width, text_before)
    return built(text_before, picture, picture.max() + 1, text_after)


def as_floats(function):
    return lambda *sizes: function(*sizes).astype(np.float32)


def last_word_and_grid(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before - 1
    return built(text_before, picture, picture.max() + 1, text_after)


def last_word_and_grid_alone(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before - 1
    return built(text_before, picture, text_before + max(height, width), text_after)


def one_after_the_length(text_before, height, width, text_after):
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before + 1
    return built(text_before, picture, picture.max() + 1, text_after)


def time_of_the_last_word(text_before, height, width, text_after):
    positions = positions_torch(text_before, height, width, text_after)
    positions[0, text_before : text_before + height * width] = text_before - 1
    return positions


def no_time(text_before, height, width, text_after):
    positions = positions_filled(text_before, height, width, text_after)
    positions[0, text_before : text_before + height * width] = 0
    return positions


def row_for_row(text_before, height, width, text_after):
    """Each of the three by itself."""
    picture = np.indices((1, height, width)).reshape(3, -1) + text_before
    texts = np.arange(text_before), np.arange(text_after)
    return np.stack([np.hstack((texts[0], p, texts[1] + p.max() + 1)) for p in picture])


RIGHT = [positions_torch, positions_numpy, positions_loops, positions_filled]
WRONG = [
    (counted_by_length, "text after all patches"),
    (counted_by_rows, "text after the height"),
    (forgot_the_one, "text after at the largest"),
    (one_more, "text after a gap"),
    (time_passes, "time counts on"),
    (time_passes_for_the_picture_alone, "time alone counts on"),
    (picture_by_itself, "picture from 0"),
    (rows_by_themselves, "grid from 0"),
    (rows_by_themselves_and_largest, "grid from 0 and text after it"),
    (swapped, "row and column exchanged"),
    (a_line, "ordinary positions"),
    (text_in_time, "text has time alone"),
    (lambda b, h, w, a: positions_torch(b, w, h, a), "height and width exchanged"),
    (lambda b, h, w, a: positions_numpy(b, w, h, a)[[0, 2, 1]], "patches column by column"),
    (lambda b, h, w, a: positions_loops(b, h, w, a).T, "token by token"),
    (lambda b, h, w, a: positions_torch(b, h, w, a) + 1, "counted from 1"),
    (row_by_height, "row by the height"),
    (as_floats(row_by_height), "row by the height"),
    (row_by_height_and_largest, "row by the height and text after it"),
    (as_floats(row_by_height_and_largest), "row by the height and text after it"),
    (column_by_height, "column by the height"),
    (as_floats(column_by_height), "column by the height"),
    (column_by_height_and_largest, "column by the height and text after it"),
    (as_floats(column_by_height_and_largest), "column by the height and text after it"),
    (last_word_and_grid, "picture at the last word"),
    (last_word_and_grid_alone, "picture alone at the last word"),
    (one_after_the_length, "picture after a gap"),
    (time_of_the_last_word, "time at the last word"),
    (no_time, "time from 0"),
    (row_for_row, "each goes on by itself"),
]
