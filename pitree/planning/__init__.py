"""What would happen, before it happens: pure functions from a session to a plan."""
