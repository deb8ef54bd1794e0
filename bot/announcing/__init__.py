"""The outbox's postman: composes what is pending, sends it, and writes down how that went.

A message is queued in the transaction that makes it true and marked when it is sent. Each try is counted before it is
made. If the bot dies in one, nobody knows whether the message arrived: it is sent again in the same words and with the
same nonce, and Discord returns the first one instead of posting a second; when Discord may have forgotten the nonce the
channel is looked at first. One process at a time does all this: the one that holds the lease.

announcer   when: wakes, holds the lease, begins what may be begun
queues      which messages may be tried together, and which have to wait
attempt     one message on its way
postman     makes the messages of a game, sends them, and decides what becomes of those that fail
ledger      what is written down about them in the database
trouble     notices to those who run the game, about a channel or closed direct messages
sender      what puts a message before people, and its errors
"""
