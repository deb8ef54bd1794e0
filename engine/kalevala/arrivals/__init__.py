"""Rulers who come to a game that runs: places kept for them, ways in, land that is allotted. Source: rules 4.3"""
