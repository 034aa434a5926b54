"""What a class regrade keeps, and the tables made of it."""
