"""Agents, the secret service. Source: rules 22"""
