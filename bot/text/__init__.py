"""Texts: turns what the services and the rules say into messages, as plain data. `discord_messages` passes them on."""
