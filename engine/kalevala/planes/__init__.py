"""Portals, mystics and other planes. Source: rules 14"""
