"""Gods, and what they do on Archeron and on earth. Source: rules 24"""
