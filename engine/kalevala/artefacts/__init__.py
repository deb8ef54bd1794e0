"""Artefacts: magic things that lie somewhere in the world or that somebody bears. Source: rules 16.2, 18.2, 19.3, B7"""
