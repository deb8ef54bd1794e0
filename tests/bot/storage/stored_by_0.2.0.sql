BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE ballots (
	game_id INTEGER NOT NULL, 
	phase_no INTEGER NOT NULL, 
	power VARCHAR(64) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	in_favour BOOLEAN NOT NULL, 
	winner VARCHAR(64), 
	CONSTRAINT pk_ballots PRIMARY KEY (game_id, phase_no, power, kind), 
	CONSTRAINT fk_ballots_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "ballots" VALUES(1,4,'red','draw',1,NULL);
INSERT INTO "ballots" VALUES(1,4,'green','concession',1,'red');
CREATE TABLE games (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name TEXT NOT NULL, 
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	game_masters JSON NOT NULL, 
	system VARCHAR(64) NOT NULL, 
	variant VARCHAR(64) NOT NULL, 
	players INTEGER NOT NULL, 
	options JSON NOT NULL, 
	pace JSON NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	created_at DATETIME NOT NULL, 
	document JSON, 
	phase_no INTEGER NOT NULL, 
	phase_code VARCHAR(64) NOT NULL, 
	opened_at DATETIME, 
	deadline_at DATETIME, 
	remind_at DATETIME, 
	time_left_s INTEGER
, scenario JSON, scenario_text TEXT, trouble VARCHAR(16) DEFAULT '' NOT NULL, token VARCHAR(32) DEFAULT '' NOT NULL, has_numbered_buttons BOOLEAN DEFAULT 1 NOT NULL, phase_title JSON, own_seed TEXT);
INSERT INTO "games" VALUES(1,'Vault “ä”',100,200,9,'[9]','toy','standard',3,'{"gold":9,"mood":"stormy","peeking":true}','{"default":"2d","by_kind":{"tribute":"12h","count":"mon,thu 19:00 Europe/Berlin"},"close_early":false}','paused','2026-11-21 12:00:00.000000','{"format":1,"system":"toy","variant":"standard","players":3,"options":{"gold":9,"mood":"stormy","peeking":true},"seed":"seed 1","dice":{},"phase":{"round":1,"kind":"tribute"},"state":{"gold":{"red":6,"green":6,"blue":9},"numbers":{"red":5,"green":4,"blue":6},"debtors":["red","green"]},"over":null}',4,'1T','2026-11-21 12:00:00.000000',NULL,NULL,43200,NULL,NULL,'','g45dab8e0d540f35b',0,'{"code":"toy.title","args":{"round":1,"kind":"tribute"}}','seed 1');
INSERT INTO "games" VALUES(2,'Lobby',100,200,9,'[9]','toy','standard',3,'{}','{"default":"1d","by_kind":{},"close_early":true}','lobby','2026-11-21 12:00:00.000000',NULL,0,'',NULL,NULL,NULL,NULL,NULL,NULL,'','g1aca9defbd873118',0,NULL,'seed 2');
INSERT INTO "games" VALUES(3,'From a file',100,200,9,'[9]','toy','standard',3,'{}','{"default":"1d","by_kind":{},"close_early":true}','lobby','2026-11-21 12:00:00.000000',NULL,0,'',NULL,NULL,NULL,NULL,'{"name":"\u00dcber","about":"about\nit","filename":"s.json","powers":{"1":"\u00d6st","2":"West"}}','{"name": "Über"}','','g0440a0cd3ad94d48',0,NULL,'seed 2');
CREATE TABLE mailboxes (
	user_id BIGINT NOT NULL, 
	channel_id BIGINT, 
	taken_id BIGINT NOT NULL, 
	answered_id BIGINT NOT NULL, 
	CONSTRAINT pk_mailboxes PRIMARY KEY (user_id)
);
INSERT INTO "mailboxes" VALUES(1,77,5,4);
INSERT INTO "mailboxes" VALUES(2,NULL,0,0);
CREATE TABLE meta (
	"key" VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_meta PRIMARY KEY ("key")
);
CREATE TABLE outbox (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game_id INTEGER NOT NULL, 
	phase_no INTEGER NOT NULL, 
	target VARCHAR(16) NOT NULL, 
	target_id BIGINT NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	payload JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	not_before DATETIME NOT NULL, 
	delivery VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	message_id BIGINT, 
	error TEXT NOT NULL, faults INTEGER DEFAULT '0' NOT NULL, tried_at DATETIME, composed JSON, 
	CONSTRAINT fk_outbox_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "outbox" VALUES(1,1,1,'channel',200,'opening','{}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','sent',1,1152921504606846976,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(2,1,1,'user',1,'briefing','{"power":"red","closed_phase_no":null,"closed_phase_nos":[]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','failed',3,NULL,'Forbidden',1,'2026-11-21 12:00:00.000000','[{"content":"\u00fc"}]');
INSERT INTO "outbox" VALUES(3,1,1,'user',2,'briefing','{"power":"green","closed_phase_no":null,"closed_phase_nos":[]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(4,1,1,'user',3,'briefing','{"power":"blue","closed_phase_no":null,"closed_phase_nos":[]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(5,1,2,'channel',200,'phase_closed','{"phase_no":1}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(6,1,2,'channel',200,'phase_opened','{}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(7,1,2,'user',1,'briefing','{"power":"red","closed_phase_no":1,"closed_phase_nos":[1]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(8,1,2,'user',2,'briefing','{"power":"green","closed_phase_no":1,"closed_phase_nos":[1]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(9,1,2,'user',3,'briefing','{"power":"blue","closed_phase_no":1,"closed_phase_nos":[1]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(10,1,3,'channel',200,'phase_closed','{"phase_no":2}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(11,1,3,'channel',200,'phase_opened','{}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(12,1,3,'user',1,'briefing','{"power":"red","closed_phase_no":2,"closed_phase_nos":[2]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(13,1,3,'user',2,'briefing','{"power":"green","closed_phase_no":2,"closed_phase_nos":[2]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(14,1,3,'user',3,'briefing','{"power":"blue","closed_phase_no":2,"closed_phase_nos":[2]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(15,1,4,'channel',200,'notice','{"code":"notice.rolled_back","args":{"code":"1T"},"is_deed":true,"master":9}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(16,1,4,'channel',200,'phase_opened','{}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(17,1,4,'user',1,'briefing','{"power":"red","closed_phase_no":null,"closed_phase_nos":[]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(18,1,4,'user',2,'briefing','{"power":"green","closed_phase_no":null,"closed_phase_nos":[]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(19,1,4,'user',3,'briefing','{"power":"blue","closed_phase_no":null,"closed_phase_nos":[]}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(20,1,4,'channel',200,'notice','{"code":"notice.draw_proposed","args":{}}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(21,1,4,'channel',200,'notice','{"code":"notice.concession_proposed","args":{"power":"red"}}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(22,1,4,'channel',200,'notice','{"code":"notice.seat_left","args":{"power":"blue","user":3}}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
INSERT INTO "outbox" VALUES(23,1,4,'channel',200,'notice','{"code":"notice.paused","args":{},"is_deed":true,"master":9}','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','pending',0,NULL,'',0,NULL,NULL);
CREATE TABLE phases (
	game_id INTEGER NOT NULL, 
	phase_no INTEGER NOT NULL, 
	code VARCHAR(64) NOT NULL, 
	start_document JSON NOT NULL, 
	end_document JSON NOT NULL, 
	sheets JSON NOT NULL, 
	results JSON NOT NULL, 
	events JSON NOT NULL, 
	rules_version VARCHAR(64) NOT NULL, 
	opened_at DATETIME NOT NULL, 
	deadline_at DATETIME, 
	closed_at DATETIME NOT NULL, 
	closed_because VARCHAR(32) NOT NULL, 
	late_s INTEGER NOT NULL, 
	is_undone BOOLEAN NOT NULL, 
	CONSTRAINT pk_phases PRIMARY KEY (game_id, phase_no), 
	CONSTRAINT fk_phases_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "phases" VALUES(1,1,'1B','{"format":1,"system":"toy","variant":"standard","players":3,"options":{"gold":9,"mood":"stormy","peeking":true},"seed":"seed 1","dice":{},"phase":{"round":1,"kind":"bid"},"state":{"gold":{"red":9,"green":9,"blue":9},"numbers":{"red":5,"green":4,"blue":6},"debtors":[]},"over":null}','{"format":1,"system":"toy","variant":"standard","players":3,"options":{"gold":9,"mood":"stormy","peeking":true},"seed":"seed 1","dice":{},"phase":{"round":1,"kind":"tribute"},"state":{"gold":{"red":6,"green":6,"blue":9},"numbers":{"red":5,"green":4,"blue":6},"debtors":["red","green"]},"over":null}','{"green":{"typed":["BID 3\nDIG # \u00fcber"],"orders":["BID 3","DIG"],"version":1,"accepted_at":"2026-11-21T12:00:00+00:00"},"red":{"typed":["BID 3\nPEEK green"],"orders":["BID 3","PEEK green"],"version":1,"accepted_at":"2026-11-21T12:00:00+00:00"}}','[{"power":"red","order":"BID 3","subject":"red/BID","outcome":"bounces","reason":{"code":"toy.outcome","args":{"order":"BID 3"}},"audience":null},{"power":"green","order":"BID 3","subject":"green/BID","outcome":"bounces","reason":{"code":"toy.outcome","args":{"order":"BID 3"}},"audience":null},{"power":"blue","order":"BID 0","subject":"blue/BID","outcome":"bounces","reason":{"code":"toy.outcome","args":{"order":"BID 0"}},"audience":null},{"power":"red","order":"PEEK green","subject":"red/PEEK","outcome":"succeeds","reason":{"code":"toy.outcome","args":{"order":"PEEK green"}},"audience":["red"]},{"power":"green","order":"DIG","subject":"green/DIG","outcome":"void","reason":{"code":"toy.outcome","args":{"order":"DIG"}},"audience":["green"]}]','[{"code":"toy.number","args":{"power":"green","parity":"even"},"audience":["red"]}]','0.2.0','2026-11-21 12:00:00.000000','2026-11-23 12:00:00.000000','2026-11-21 12:00:00.000000','game_master',0,0);
INSERT INTO "phases" VALUES(1,2,'1T','{"format":1,"system":"toy","variant":"standard","players":3,"options":{"gold":9,"mood":"stormy","peeking":true},"seed":"seed 1","dice":{},"phase":{"round":1,"kind":"tribute"},"state":{"gold":{"red":6,"green":6,"blue":9},"numbers":{"red":5,"green":4,"blue":6},"debtors":["red","green"]},"over":null}','{"format":1,"system":"toy","variant":"standard","players":3,"options":{"gold":9,"mood":"stormy","peeking":true},"seed":"seed 1","dice":{},"phase":{"round":2,"kind":"bid"},"state":{"gold":{"red":5,"green":4,"blue":10},"numbers":{"red":5,"green":4,"blue":6},"debtors":[]},"over":null}','{"red":{"typed":["PAY blue"],"orders":["PAY blue"],"version":1,"accepted_at":"2026-11-21T12:00:00+00:00"}}','[{"power":"red","order":"PAY blue","subject":"red/PAY","outcome":"succeeds","reason":{"code":"toy.outcome","args":{"order":"PAY blue"}},"audience":null},{"power":"green","order":"PAY nobody","subject":"green/PAY","outcome":"succeeds","reason":{"code":"toy.outcome","args":{"order":"PAY nobody"}},"audience":null}]','[]','0.2.0','2026-11-21 12:00:00.000000','2026-11-22 00:00:00.000000','2026-11-21 12:00:00.000000','game_master',0,1);
CREATE TABLE proposals (
	game_id INTEGER NOT NULL, 
	phase_no INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	winner VARCHAR(64) NOT NULL, 
	voters JSON NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (game_id, phase_no, kind, winner), 
	CONSTRAINT fk_proposals_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "proposals" VALUES(1,4,'draw','','{"red":1,"green":2,"blue":3}');
INSERT INTO "proposals" VALUES(1,4,'concession','red','{"red":1,"green":2,"blue":3}');
CREATE TABLE seats (
	game_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	power VARCHAR(64), 
	user_id BIGINT, 
	wish VARCHAR(64), 
	is_ready BOOLEAN NOT NULL, 
	missed INTEGER NOT NULL, 
	is_open BOOLEAN NOT NULL, 
	dms_closed BOOLEAN NOT NULL, former JSON DEFAULT '[]' NOT NULL, is_removed BOOLEAN DEFAULT 0 NOT NULL, word TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (game_id, number), 
	CONSTRAINT fk_seats_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE, 
	CONSTRAINT uq_seats_game_id_user_id UNIQUE (game_id, user_id)
);
INSERT INTO "seats" VALUES(1,1,'red',1,'red',0,0,0,0,'[]',0,'');
INSERT INTO "seats" VALUES(1,2,'green',2,'green',0,0,0,0,'[]',0,'');
INSERT INTO "seats" VALUES(1,3,'blue',NULL,'blue',0,0,1,0,'[3]',0,'');
INSERT INTO "seats" VALUES(2,1,NULL,1,'red',0,0,0,0,'[]',0,'');
CREATE TABLE sheets (
	game_id INTEGER NOT NULL, 
	phase_no INTEGER NOT NULL, 
	power VARCHAR(64) NOT NULL, 
	typed JSON NOT NULL, 
	orders JSON NOT NULL, 
	version INTEGER NOT NULL, 
	accepted_at DATETIME NOT NULL, 
	CONSTRAINT pk_sheets PRIMARY KEY (game_id, phase_no, power), 
	CONSTRAINT fk_sheets_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "sheets" VALUES(1,1,'red','["BID 3\nPEEK green"]','["BID 3","PEEK green"]',1,'2026-11-21 12:00:00.000000');
INSERT INTO "sheets" VALUES(1,1,'green','["BID 3\nDIG # \u00fcber"]','["BID 3","DIG"]',1,'2026-11-21 12:00:00.000000');
INSERT INTO "sheets" VALUES(1,2,'red','["PAY blue"]','["PAY blue"]',1,'2026-11-21 12:00:00.000000');
INSERT INTO "sheets" VALUES(1,4,'red','["PAY blue"]','["PAY blue"]',1,'2026-11-21 12:00:00.000000');
CREATE INDEX ix_games_channel_id ON games (channel_id);
CREATE INDEX ix_games_due ON games (status, deadline_at);
CREATE INDEX ix_games_guild_id ON games (guild_id);
CREATE INDEX ix_games_to_remind ON games (status, remind_at);
CREATE INDEX ix_outbox_game_id ON outbox (game_id);
CREATE INDEX ix_outbox_queue ON outbox (delivery, game_id, target, target_id, id);
CREATE INDEX ix_seats_user_id ON seats (user_id);
CREATE UNIQUE INDEX ix_games_token ON games (token);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('games',3);
INSERT INTO "sqlite_sequence" VALUES('outbox',23);
COMMIT;
