"""The steps, oldest first. Each is written once and never changed."""
