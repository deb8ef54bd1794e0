"""Craft, and voyages by them. Source: rules 17.1, 26.1"""
