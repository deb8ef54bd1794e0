"""The outbox's postman: composes pending messages, sends them, and records the result.

A message is queued in the transaction that makes it true, and marked when it was sent. Each try is counted before it is
made. If the bot dies during one, nobody knows whether the message arrived: it is sent again with the same text and the
same nonce, and Discord returns the first one instead of posting a second; if Discord may have forgotten the nonce, the
channel is searched first. One process at a time does all this: the one that holds the lease.

announcer   when: wakes, holds the lease, begins what may be begun
queues      which messages may be tried together, and which have to wait
attempt     one message on its way
postman     makes the messages of a game, sends them, and decides what happens to those that fail
ledger      the records about them in the database
trouble     notices to those who run the game, about a channel or closed direct messages
sender      what delivers a message to people, and its errors
"""
