"""What every game is made of: ids, boards, phrases, outcomes, dice, scenes and the protocol of a system."""
