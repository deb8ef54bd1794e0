"""The steps of the windows, each a function of the working `Round`. `rounds` lists them in order."""
