"""The submission's side: the zygote, serving requests, confinement, and the attacks that test it."""
