"""What the model sees at an entry: messages, estimates, transcript. Knows only the session room."""
