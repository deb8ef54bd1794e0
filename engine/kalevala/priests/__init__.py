"""Priests, temples and prayers. Source: rules 20"""
