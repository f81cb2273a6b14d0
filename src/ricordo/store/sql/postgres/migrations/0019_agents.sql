-- Agents: who holds a session, so that the sessions of one agent can be listed.
ALTER TABLE sessions ADD COLUMN agent text COLLATE "C";
