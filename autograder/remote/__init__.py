"""What a test sees of the submission: proxies, the tape of operations, and the time that is left."""

__all__ = ["asked", "replay", "session", "step", "tape"]
