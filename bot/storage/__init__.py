"""Games in a database: SQLite by default, PostgreSQL by its address. The only package that speaks SQL."""

from bot.storage.database import BadDatabaseAddress, Database, DatabaseTooNew, Patience

__all__ = ["BadDatabaseAddress", "Database", "DatabaseTooNew", "Patience"]
