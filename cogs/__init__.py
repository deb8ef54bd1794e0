"""The Discord surface: slash commands, buttons, modals, direct messages. Thin: each calls a service and replies."""
