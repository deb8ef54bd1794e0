"""Caravans and expeditions. Source: rules 21"""
