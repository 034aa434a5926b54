"""What leaves the repository: the zip that Gradescope builds an image from, otter's, and the zip that students get.

`in_kernel` runs in otter's kernel, beside the student's code: nothing here may be imported for it.
"""

__all__ = ["contents", "imports", "lint", "lock", "otter", "parcel", "readiness"]
