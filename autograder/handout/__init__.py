"""From solution/ to starter/: what students are given."""
