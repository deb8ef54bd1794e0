"""Rulers who enter a running game: places kept for them, ways to begin, land that is allotted. Source: rules 4.3"""
