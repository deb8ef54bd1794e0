"""What pictures are made of, as plain data: a game makes it from what its viewer may know, a renderer draws it."""
