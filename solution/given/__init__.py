"""Given, and not for reading: what `pytest` needs in the folder of the homework."""
