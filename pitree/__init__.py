"""See, preview and commit what Pi's compaction would do to a session."""
