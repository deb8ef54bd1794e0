"""The Age of the Young Kingdoms: Diplomacy with sorcerers, secret spell cards and fortresses."""
