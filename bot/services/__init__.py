"""Use cases: plain synchronous functions over the ports. Each opens one unit of work."""
