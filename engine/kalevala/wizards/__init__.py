"""Wizards and their spells. Source: rules 19"""
