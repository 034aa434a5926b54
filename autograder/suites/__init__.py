"""The tests and pytest: marks, the manifest, the plugin, the runner, and the outcome of a test."""

__all__ = ["imports", "manifest", "outcome", "runner"]
