"""What only the course needs: its colours, its sentence, and the five tokens worked by hand."""
