"""King of Kings: nations on a square grid. Source: rules, fourth edition 2002, version 4.10.2 (Jens Niemann)."""
