"""The application around the engine: services, storage, clock, pictures, words, and the Discord client."""
