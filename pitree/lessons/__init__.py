"""Built-in sessions: the demos, and the teaching sessions with what is said at each step."""
