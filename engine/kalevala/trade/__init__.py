"""Deeds of trade, and fiefs. Source: rules 17.2, 21"""
