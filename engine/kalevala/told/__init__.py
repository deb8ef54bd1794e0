"""Battles as they are told to those who took part: sentences, rolls, pictures. Source: rules 34"""
