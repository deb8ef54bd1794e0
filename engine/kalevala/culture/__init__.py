"""What a people is and what its land is called. Source: rules 4.2"""
