-- Rewrites: how often what a log holds was cut or edited, so that nobody takes an old copy of it for the present one.
ALTER TABLE sessions ADD COLUMN rewrites bigint NOT NULL DEFAULT 0;
