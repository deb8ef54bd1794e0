"""How the computer writes a nation's sheet; `engine.king_of_kings.judgement` compares them."""
