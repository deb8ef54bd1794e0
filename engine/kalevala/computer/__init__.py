"""The computer's player of Kalevala: how it writes a sheet, and what it expects of attacks."""
