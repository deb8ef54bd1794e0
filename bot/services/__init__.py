"""Use cases: plain synchronous functions over the ports. Each opens one unit of work.

people          lobby, seats, asking, votes; which_game, overview, guidance, channel
orders          orders (arrivals, seated, sheets, receipts), doors, inbox, buttons
phases          turns (course, passage, computer), calendar, reminders
looking         inspect, region, chronicle, films
game masters    gm, rollback, acts (rulings, secret_choice), interventions, complaints
new games       setup, scenarios, seeds
whole games     replay (opening), transfer (transfer_json)
messages        post, notices
beneath         context, errors, table, positions, snapshot, work, inline_workers
"""
