"""What leaves the repository: the zip that Gradescope builds an image from, otter's, and the zip that students get.

`in_kernel` runs in otter's kernel, beside the student's code: it must not need anything else of this package.
"""

__all__ = ["classroom", "contents", "lint", "lock", "otter", "readiness", "zip_file"]
