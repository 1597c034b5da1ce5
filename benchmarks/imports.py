"""How long `import pe_lib` takes in a fresh process, after `import torch`."""

import statistics
import subprocess
import sys

ROUNDS = 5
CODE = """
import time
start = time.perf_counter()
import torch
middle = time.perf_counter()
import pe_lib
print(middle - start, time.perf_counter() - middle)
"""


def main() -> None:
    found = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", CODE]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found.append([float(seconds) for seconds in answer.split()])
    torch, ours = (statistics.median(column) for column in zip(*found, strict=True))
    print(f"  torch {torch:.2f} s, and pe_lib {ours:.2f} s more")
