"""Cases as data: positions, orders, and what must come of them."""
