"""What every game is made of: ids, phrases, orders, outcomes, dice, and the protocol of a system."""
