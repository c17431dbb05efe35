"""The only code that knows Textual."""
