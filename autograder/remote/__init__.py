"""What a test sees of the submission: proxies, the tape of operations, and the time that is left."""

__all__ = ["asked", "preload", "replay", "session", "step", "tape"]
