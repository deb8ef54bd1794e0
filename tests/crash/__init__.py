"""The bot is killed at every step of closing a phase, and started again."""
