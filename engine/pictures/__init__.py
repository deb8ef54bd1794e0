"""The contents of pictures, as plain data: a game makes them from what its viewer may know, a renderer draws them."""
