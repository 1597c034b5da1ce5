"""Command line tools that set up, check and build the book. Run them from the repository's root."""
