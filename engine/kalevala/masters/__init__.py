"""What game masters do beside the rules: decrees for the world, and rulings about a window that has closed."""
