"""How the tables came to be, step by step. `Database.migrate` runs what is missing."""
