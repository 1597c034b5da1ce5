"""What every encoding needs: checks, devices, positions, frequencies, patches of a picture."""
