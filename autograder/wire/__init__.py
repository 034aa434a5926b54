"""What crosses between the grader and a worker. Both sides import it, so it imports only the standard library."""
