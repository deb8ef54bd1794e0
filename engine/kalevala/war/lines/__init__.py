"""The lines of a plan apart from groups and their places, step by step. Source: rules 16.1, 32, R-121

draft       the plan as it stands; questions and choices, each way through which ends in the whole plan
kinds       which lines make sense at all; wishes, sides, and lines to be removed
aims        what groups do
ranks       phalanxes
works       gates and onagers
magic       the wizard's lines
prayers     the priests' lines
"""
