"""The steps of the windows, each a function of a `Window`. `rounds` lists them in order."""
