"""The geometry of maps that are made of equal cells."""
