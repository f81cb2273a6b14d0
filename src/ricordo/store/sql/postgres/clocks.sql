-- clocks.server_now: the time on the machine of the database
SELECT (extract(epoch FROM clock_timestamp()) / 0.000001)::bigint;
