"""Kings. Source: rules 18"""
