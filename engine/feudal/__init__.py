"""Feudal Europe by Lewis Pulsipher, with its fantasy version: lords, castles, knights and kings on the standard map."""
