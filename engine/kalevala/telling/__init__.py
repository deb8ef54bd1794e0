"""Battles, deeds and the courier as players read them: sentences, rolls, pictures. Source: rules 34"""
