"""The rules of the house as functions from a path and its source to findings; test_architecture.py applies them."""
