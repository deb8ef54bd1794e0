"""Rulers who enter a running game: places kept for them, ways in, land that is allotted. Source: rules 4.3"""
