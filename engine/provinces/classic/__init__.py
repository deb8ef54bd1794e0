"""The rules of armies and fleets as Diplomacy has them, for every game that keeps to them."""
