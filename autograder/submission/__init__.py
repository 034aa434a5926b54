"""From files, zips and folders to a Submission. Reads what students hand in, and never runs it."""
