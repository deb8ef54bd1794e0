"""What game masters do outside the rules: decrees for the world, and rulings about a window that has closed."""
