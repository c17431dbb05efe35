"""From a plan to a draft of its summary."""
