"""War before it is fought (fighting is in `battle`): plans, their menus, their rehearsal. Source: rules 16.1"""
