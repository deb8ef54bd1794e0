"""Battles, deeds and the courier for their readers: sentences, rolls, pictures. Source: rules 34"""
