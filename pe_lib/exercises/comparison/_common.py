"""What several exercises name: titles of the sections of chapter 09 (a test finds each of them
there)."""

SCORING = "Three ways to score"
BANDS = "Bands, not points"
TASKS = "Two tasks on random strings"
CONTENT = "Where only content counts"
