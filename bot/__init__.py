"""The application around the engine: services, storage, clock, pictures, texts, and the Discord client."""
