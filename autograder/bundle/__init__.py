"""What leaves the repository: the zip that Gradescope builds an image from, and the zip that students get."""
